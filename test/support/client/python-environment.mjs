/**
 * Python with the packages of a lock file (`requirements*.txt` with hashes), as a virtual environment in `node_modules/.cache`: installed once
 * for each lock file and Python. Plain JavaScript, because `npm test` prepares suites with it.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const cache = path.resolve(import.meta.dirname, '../../../node_modules/.cache');
const program = path.join(import.meta.dirname, 'make_environment.py');

/**
 * @param {NonNullable<ReturnType<typeof import('./find-python.mjs').findPython>>} python
 * @param {string} lockFile
 * @returns {Promise<string>} the interpreter of an environment with exactly the packages of the lock file
 */
export async function pythonEnvironment(python, lockFile) {
  const lock = await readFile(lockFile, 'utf8');
  const hash = createHash('sha256').update(`${python.version}\n${process.platform}-${process.arch}\n${lock}`);
  const folder = path.join(cache, `python-${hash.digest('hex').slice(0, 16)}`);
  await promisify(execFile)(python.program, [program, folder, lockFile]);
  return path.join(folder, 'bin', 'python');
}

/**
 * Keeps what Python has compiled beside the environment, for the next start: half of a start is compiling. Folders of the repository stay as
 * they are.
 * @param {string} interpreter of an environment
 */
export const keptBytecode = (interpreter) => ({
  PYTHONPYCACHEPREFIX: path.resolve(interpreter, '../../bytecode'),
  PYTHONDONTWRITEBYTECODE: '',
});
