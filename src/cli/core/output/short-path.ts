import { homedir } from 'node:os';
import path from 'node:path';

/** With `~` for the home directory, as people write it. */
export function shortPath(file: string): string {
  const relative = path.relative(homedir(), file);
  const isBelow = relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  return isBelow ? path.join('~', relative) : file;
}
