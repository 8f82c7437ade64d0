/**
 * Python with the packages of a lock file (`requirements*.txt` with hashes), as a virtual environment in `node_modules/.cache`: installed once
 * for each lock file and Python.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../process/ferry-process.js';
import type { findPython } from './find-python.mjs';

const run = promisify(execFile);

export type Python = NonNullable<ReturnType<typeof findPython>>;

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
    // Python compiles what is imported; the packages have much more.
    '--no-compile',
    '--no-input',
    '--disable-pip-version-check',
    '--only-binary',
    ':all:',
  ];
  await run(interpreter, [...words, '--require-hashes', '-r', lockFile]);
  await writeFile(complete, '');
  return interpreter;
}
