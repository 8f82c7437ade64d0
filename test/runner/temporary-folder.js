/**
 * The folder for temporary files of a run, which `os.tmpdir()` and the processes that specs start use, because it is in `TMPDIR`. Specs make
 * and remove hundreds of database folders of a thousand files each: in memory, where the system has room for that, they take a tenth less
 * processor time. Imported by jest.config.js, so made once for all workers.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import path from 'node:path';

const MEMORY_FILES = '/dev/shm';
/** Short, as paths in it are shown in messages of 80 columns. Followed by the process id. */
const PREFIX = 'ferry-';
const NEEDED_BYTES = 4 * 1024 ** 3;

/** Some systems let no program of such a folder run, and specs write programs. */
function runsPrograms(folder) {
  const program = path.join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  execFileSync(program);
  rmSync(program);
}

/** A run that was killed could not remove its folder. */
function removeFoldersOfEndedRuns() {
  for (const name of readdirSync(MEMORY_FILES)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)$`).exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid)) rmSync(path.join(MEMORY_FILES, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function make() {
  const { bavail, bsize } = statfsSync(MEMORY_FILES);
  if (bavail * bsize < NEEDED_BYTES || freemem() < 2 * NEEDED_BYTES) return;
  removeFoldersOfEndedRuns();
  const folder = path.join(MEMORY_FILES, `${PREFIX}${process.pid}`);
  // A database server started by a spec is another user, who may go through it.
  mkdirSync(folder, { mode: 0o711 });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  runsPrograms(folder);
  process.env['TMPDIR'] = folder;
}

if (process.platform === 'linux' && process.env['TMPDIR'] === undefined) {
  try {
    make();
  } catch {
    // The folder of the system is the slower way to the same results.
  }
}
