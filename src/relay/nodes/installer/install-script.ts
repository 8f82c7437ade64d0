/** Renders the install scripts with this relay's address and the digests of the files that it serves. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { shellWord } from '../../../kernel/shell-words.js';
import { powerShellWord } from '../../clusters/install-commands.js';
import type { BundleFacts } from './agent-bundle.js';

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
