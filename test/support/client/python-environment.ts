/**
 * Python with the packages of a lock file (`requirements*.txt` with hashes), as a virtual environment in `node_modules/.cache`: installed once
 * for each lock file and Python.
 */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../process/ferry-process.js';

const run = promisify(execFile);

const OLDEST_PYTHON = '(3, 11)';

/** Debian's python3 without python3-venv has `venv`, but no `ensurepip`. */
const probe = `import sys, venv, ensurepip
sys.exit(1) if sys.version_info < ${OLDEST_PYTHON} else print(sys.version)`;

export interface Python {
  readonly program: string;
  readonly version: string;
}

/** @returns the Python of this computer, absent when there is none that is new enough and can make environments */
export function findPython(): Python | undefined {
  const program = process.env['FERRY_TEST_PYTHON'] ?? 'python3';
  const { status, stdout } = spawnSync(program, ['-c', probe], { encoding: 'utf8' });
  return status === 0 ? { program, version: stdout.trim() } : undefined;
}

/** @returns the interpreter of an environment with exactly the packages of the lock file */
export async function pythonEnvironment(python: Python, lockFile: string): Promise<string> {
  const lock = await readFile(lockFile, 'utf8');
  const hash = createHash('sha256').update(`${python.version}\n${process.platform}-${process.arch}\n${lock}`);
  const folder = path.join(repositoryRoot, 'node_modules/.cache', `python-${hash.digest('hex').slice(0, 16)}`);
  const interpreter = path.join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const complete = path.join(folder, 'complete');
  if (existsSync(complete)) return interpreter;
  // Of an installation that was cut off.
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.dirname(folder), { recursive: true });
  await run(python.program, ['-m', 'venv', folder]);
  // Wheels only: a source package would run its own code while it is installed.
  const words = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-input',
    '--disable-pip-version-check',
    '--only-binary',
    ':all:',
  ];
  await run(interpreter, [...words, '--require-hashes', '-r', lockFile]);
  await writeFile(complete, '');
  return interpreter;
}
