/** Renders the install scripts with this relay's address and the digests of the files that it serves, and builds install commands. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { shellString, shellWord } from '../../../kernel/shell-words.js';
import type { BundleFacts } from './agent-bundle.js';

/** Always in quotes, so that it is a string in expressions as well as in commands. */
const powerShellWord = (text: string): string => shellString(text, 'powershell');

const PLACEHOLDER = /@([A-Z0-9_]+)@/g;

const scripts = {
  'install.sh': shellWord,
  'install.ps1': powerShellWord,
} as const satisfies Record<string, (text: string) => string>;
export type InstallScript = keyof typeof scripts;

/** @param relayUrl without a trailing slash */
export async function renderInstallScript(
  script: InstallScript,
  relayUrl: string,
  facts: BundleFacts,
): Promise<string> {
  const values: Readonly<Record<string, string>> = {
    RELAY_URL: relayUrl,
    AGENT_VERSION: facts.version,
    AGENT_SHA256: facts.sha256,
    ENGINE_SHA256: facts.engine.sha256,
  };
  const template = await readFile(templatePath(script), 'utf8');
  return template.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${script}: unknown placeholder ${placeholder}`);
    return scripts[script](value);
  });
}

/** The relative path is the same from `src` and `dist`; the templates are not compiled. */
const templatePath = (script: InstallScript): string =>
  fileURLToPath(new URL(`../../../../public/agent/${script}`, import.meta.url));

export interface InstallCommandOptions {
  /** Allows a relay on another computer without TLS, which the scripts otherwise refuse. */
  readonly insecure?: boolean;
  /** Also starts the node, in the foreground. */
  readonly run?: boolean;
}

/** Installs the agent and joins as a node, for Linux and macOS. */
export function shellInstallCommand(relayUrl: string, joinToken: string, options: InstallCommandOptions = {}): string {
  const install = `curl -fsSL ${shellWord(`${relayUrl}/install.sh`)} | sh -s -- --token ${shellWord(joinToken)}`;
  return [
    install,
    ...(options.insecure === true ? [' --force-insecure'] : []),
    // The folder may not be on the PATH.
    ...(options.run === true ? [' && ~/.local/bin/ferry-node run'] : []),
  ].join('');
}

/** Like {@link shellInstallCommand}, for Windows. */
export function powerShellInstallCommand(
  relayUrl: string,
  joinToken: string,
  options: InstallCommandOptions = {},
): string {
  const script = `& ([scriptblock]::Create((irm ${powerShellWord(`${relayUrl}/install.ps1`)})))`;
  return [
    `${script} -Token ${powerShellWord(joinToken)}`,
    ...(options.insecure === true ? [' -ForceInsecure'] : []),
    ...(options.run === true ? ['; & "$env:LOCALAPPDATA\\ferry\\agent\\ferry-node.cmd" run'] : []),
  ].join('');
}

/** For a computer where Ferry is installed already. */
export function ferryJoinCommand(relayUrl: string, joinToken: string, options: InstallCommandOptions = {}): string {
  return [
    `ferry node join ${joinToken} --relay ${shellWord(relayUrl)}`,
    ...(options.insecure === true ? [' --force-insecure'] : []),
    ...(options.run === true ? [' && ferry node run'] : []),
  ].join('');
}
