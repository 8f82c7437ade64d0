/**
 * Static checks that passed are not run again on the same files: they depend on nothing else. Tests are always run. The files are those of
 * the working tree that Git does not ignore; without Git nothing is remembered.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run.mjs';

const folder = path.join(root, 'node_modules', '.cache', 'checks');

/** Of all names and contents, and of Node's version; undefined without Git. */
export function stateOfFiles(directory = root) {
  let names;
  try {
    const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
    names = execFileSync('git', words, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
  const hash = createHash('sha256').update(process.version);
  for (const name of names.split('\0').filter(Boolean)) {
    const file = path.join(directory, name);
    const found = lstatSync(file, { throwIfNoEntry: false });
    // Deleted, but not yet in the index; or a repository inside of this one.
    if (found === undefined || found.isDirectory()) continue;
    const content = found.isSymbolicLink() ? readlinkSync(file) : readFileSync(file);
    hash.update(`\0${name}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** @param {string} check @param {string | undefined} state of the files on which it would be run */
export function hasPassed(check, state) {
  if (state === undefined) return false;
  try {
    return readFileSync(path.join(folder, check), 'utf8') === state;
  } catch {
    return false;
  }
}

/** @param {string | undefined} state of the files before the check was run: what was edited meanwhile is checked next time */
export function rememberPassed(check, state) {
  if (state === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, check), state);
}
