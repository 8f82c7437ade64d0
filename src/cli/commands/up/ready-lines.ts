/** Parts of the ready screen that are computed: the line for the PATH, the curl example, the QR code. */
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { shellString, shellWord } from '../../../kernel/shell-words.js';
import { isLoopbackHost } from '../../core/api/relay-address.js';
import type { Environment } from '../../invocation.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/[\\/]$/, '');

/** The line that puts `ferry` where a shell finds it; undefined where one is found already. */
export function pathLine(env: Environment, platform = process.platform, home = homedir()): string | undefined {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const names = platform === 'win32' ? ['ferry.cmd', 'ferry.exe'] : ['ferry'];
  if (folders.some((folder) => names.some((name) => isExecutable(path.join(folder, name))))) return undefined;
  // Needs no root, which the global folder of npm may.
  const own = ['.local/bin', 'bin'].map((name) => path.join(home, name)).find((folder) => folders.includes(folder));
  if (platform === 'win32' || own === undefined) {
    return platform === 'win32' ? `cd /d ${shellString(ROOT, 'cmd')} && npm link` : `cd ${shellWord(ROOT)} && npm link`;
  }
  return `ln -s ${shellWord(path.join(ROOT, 'bin/ferry.js'))} ${shellWord(path.join(own, 'ferry'))}`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A curl command for a shell that streams a chat. One line, so that pasting it is safe. */
export function curlLine(baseUrl: string, apiKey: string, model: string, platform = process.platform): string {
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Count to 8' }] });
  const words = [
    `${baseUrl}/v1/chat/completions`,
    '-H',
    quote(`Authorization: Bearer ${apiKey}`, platform),
    '-H',
    quote('Content-Type: application/json', platform),
    '-d',
    quote(body, platform),
  ];
  return `curl -sN ${words.join(' ')}`;
}

const quote = (text: string, platform: NodeJS.Platform): string =>
  platform === 'win32' ? shellString(text, 'cmd') : shellWord(text);

/** For the camera of a phone. @returns the code, or why there is none */
export async function qrCode(
  consoleUrl: string | null,
): Promise<{ readonly code: string } | { readonly refusal: readonly string[] }> {
  if (consoleUrl === null || isLoopbackHost(new URL(consoleUrl).hostname)) {
    return {
      refusal: [
        'No QR code: another device can sign in on the website at an https address only.',
        '  try: a proxy with TLS in front, and FERRY_BASE_URL=https://…',
      ],
    };
  }
  const { renderUnicodeCompact } = await import('uqr');
  return { code: renderUnicodeCompact(consoleUrl, { border: 2 }) };
}
