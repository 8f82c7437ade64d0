import { readlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  acquireInstanceLock,
  InstanceLockedError,
  readInstance,
  type InstanceLock,
} from '../../../../kernel/instance-lock.js';
import type { ReadyInstance } from './setup-channel.js';

/** The lock that makes one process the `ferry up` of a data directory. */
export const UP_LOCK = 'up';

/** The relay and the node of a killed supervisor stop by themselves; the next start waits this long for them. */
const LEFTOVER_WAIT_MS = 6_000;
const LEFTOVER_PAUSE_MS = 100;

/**
 * Makes this process the only `ferry up` of the data directory, and ensures that no earlier relay or node runs there.
 * @throws InstanceLockedError when another process uses the directory; nothing has been started then
 */
export async function claimDataDirectory(
  directory: string,
  describe: () => object,
  leftoverWaitMs = LEFTOVER_WAIT_MS,
): Promise<InstanceLock> {
  const lock = await acquireInstanceLock(directory, UP_LOCK, describe);
  try {
    for (const name of ['relay', 'node']) await waitUntilFree(path.join(directory, name), name, leftoverWaitMs);
    return lock;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function waitUntilFree(directory: string, name: string, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const holder = await readInstance(directory, name);
    if (holder === undefined) return;
    if (performance.now() >= deadline) throw new InstanceLockedError(directory, holder);
    await setTimeout(LEFTOVER_PAUSE_MS);
  }
}

/** @returns the response over the lock socket, without secrets */
export const describeInstance = (ready: ReadyInstance | undefined, service: string | undefined): object => ({
  pid: process.pid,
  pid_namespace: pidNamespace(),
  /** null until it is ready. */
  ready: ready ?? null,
  service: service === 'up',
});

/** Within one, a process id means the same process. */
export function pidNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}
