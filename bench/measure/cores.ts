/**
 * Processes on cores of their own. Unpinned, generator, engine, nodes and relay take turns on the cores, and scheduling decides latencies.
 */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { processTree } from './process-usage.js';

const RELAY_CORES = '0';
const OTHER_CORES = `1-${availableParallelism() - 1}`;

/** Moves this process, and thereby all that it starts, off the relay's core. @returns false when there is only one core, or no `taskset` */
export function reserveRelayCore(): boolean {
  if (availableParallelism() < 2) return false;
  try {
    pin(process.pid, OTHER_CORES);
    return true;
  } catch {
    return false;
  }
}

/** Moves these processes and their descendants to the relay's core. Threads and processes that they start later stay there. */
export function moveToRelayCore(roots: readonly number[]): void {
  for (const pid of new Set(roots.flatMap(processTree))) pin(pid, RELAY_CORES);
}

/** It fails when a thread ends while it goes through them, as compilers' and loaders' threads do soon after a start. */
const PIN_TRIES = 5;

function pin(pid: number, cores: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)], { stdio: 'ignore' });
      return;
    } catch (error) {
      if (attempt === PIN_TRIES) throw error;
    }
  }
}
