import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../invocation.js';
import type { RotatingLog } from './rotating-log.js';

const ENTRY = fileURLToPath(new URL('../../main.js', import.meta.url));

/** Starts another `ferry` on the same Node, with an IPC channel; what it prints goes to the log. */
export function spawnFerry(words: readonly string[], env: Environment, log: RotatingLog): ChildProcess {
  const child = fork(ENTRY, [...words], { env, execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const append = (chunk: Buffer): void => {
    log.write(chunk);
  };
  child.stdout?.on('data', append);
  child.stderr?.on('data', append);
  return child;
}
