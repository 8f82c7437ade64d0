import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { shellWord } from '../../../kernel/shell-word.js';
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
    return platform === 'win32' ? `cd /d "${ROOT}" && npm link` : `cd ${shellWord(ROOT)} && npm link`;
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
