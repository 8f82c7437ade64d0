/**
 * Python with the packages of a lock file (`requirements*.txt` with hashes), as a virtual environment in `node_modules/.cache`: installed once
 * for each lock file and Python.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { acquireInstanceLock, InstanceLockedError } from '../../../src/kernel/instance-lock.js';
import { repositoryRoot } from '../process/ferry-process.js';
import type { findPython } from './find-python.mjs';

const run = promisify(execFile);

const ASK_AGAIN_MS = 100;

export type Python = NonNullable<ReturnType<typeof findPython>>;

/** @returns the interpreter of an environment with exactly the packages of the lock file */
export async function pythonEnvironment(python: Python, lockFile: string): Promise<string> {
  const lock = await readFile(lockFile, 'utf8');
  const hash = createHash('sha256').update(`${python.version}\n${process.platform}-${process.arch}\n${lock}`);
  const folder = path.join(repositoryRoot, 'node_modules/.cache', `python-${hash.digest('hex').slice(0, 16)}`);
  const interpreter = path.join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const complete = path.join(folder, 'complete');
  while (!existsSync(complete)) {
    // Spec files of other workers want the same one: the first of them installs it.
    const installing = await acquireInstanceLock(`${folder}.lock`, 'python', () => ({ pid: process.pid })).catch(
      locked,
    );
    if (installing === undefined) {
      await setTimeout(ASK_AGAIN_MS);
      continue;
    }
    try {
      if (!existsSync(complete)) await install(python, { folder, interpreter, lockFile });
      await writeFile(complete, '');
    } finally {
      await installing.release();
    }
  }
  return interpreter;
}

function locked(error: unknown): undefined {
  if (!(error instanceof InstanceLockedError)) throw error;
}

interface Environment {
  readonly folder: string;
  readonly interpreter: string;
  readonly lockFile: string;
}

async function install(python: Python, { folder, interpreter, lockFile }: Environment): Promise<void> {
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
}
