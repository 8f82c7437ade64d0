/** The installers: scripts that anybody can read, with this relay's address and the digests of what it serves filled in. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BundleFacts } from './agent-bundle.js';

/** Texts as single words of a shell: nothing in them is looked at, expanded or run. */
const PLAIN = /^[\w@%+:,./-]+$/;
/** PowerShell takes all of these for a single quote. */
const POWERSHELL_QUOTES = /['\u2018-\u201b]/g;

/** For POSIX shells, also inside of a script. */
const shellWord = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** For PowerShell: always in quotes, so that it is text in an expression as well as in a command. */
const powerShellWord = (text: string): string => `'${text.replace(POWERSHELL_QUOTES, '$&$&')}'`;

const PLACEHOLDER = /@([A-Z0-9_]+)@/g;

const scripts = {
  'install.sh': shellWord,
  'install.ps1': powerShellWord,
} as const satisfies Record<string, (text: string) => string>;
export type InstallScript = keyof typeof scripts;

/** @param relayUrl without a slash at its end */
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
    if (value === undefined) throw new Error(`${script}: nothing is known about ${placeholder}`);
    return scripts[script](value);
  });
}

/** At the same distance from `src` and `dist`; not compiled. */
const templatePath = (script: InstallScript): string =>
  fileURLToPath(new URL(`../../../public/agent/${script}`, import.meta.url));

/** The line that makes another computer a node, for Linux and macOS. */
export const shellInstallCommand = (relayUrl: string, joinToken: string): string =>
  `curl -fsSL ${shellWord(`${relayUrl}/install.sh`)} | sh -s -- --token ${shellWord(joinToken)}`;

/** The same for Windows. */
export const powerShellInstallCommand = (relayUrl: string, joinToken: string): string =>
  `& ([scriptblock]::Create((irm ${powerShellWord(`${relayUrl}/install.ps1`)}))) -Token ${powerShellWord(joinToken)}`;
