import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readInstance } from '../../../kernel/instance-lock.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { succeeds, type ServiceManager } from './service-manager.js';
import type { ServiceDescription } from './service-programs.js';

const PAUSE_MS = 250;
/** A slow computer takes longer; whoever installed the service need not wait for it. */
const READY_WITHIN_MS = 60_000;
/** The service manager may be between two starts of the program when it is asked. */
const MISSES_BEFORE_FAILURE = 3;

interface LockHolder {
  readonly pid?: number;
}

/** The process that runs the program on this data directory, whoever started it. */
export const lockHolder = async ({ lock }: ServiceDescription, directory: string): Promise<LockHolder | undefined> =>
  readInstance(path.join(directory, lock.folder), lock.name);

/**
 * @returns whether the program has said that it is ready. launchd counts one that ends again and again as running, so that nothing else tells
 * @throws CliError when the program ends instead: a taken port, a setting that is wrong, a node that the relay refuses
 */
export async function waitUntilRunning(
  service: ServiceDescription,
  manager: Pick<ServiceManager, 'probe'>,
  directory: string,
  withinMs = READY_WITHIN_MS,
): Promise<boolean> {
  const startedMs = performance.now();
  for (let misses = 0; performance.now() - startedMs < withinMs;) {
    await setTimeout(PAUSE_MS);
    misses = (await succeeds(manager.probe)) ? 0 : misses + 1;
    if (misses >= MISSES_BEFORE_FAILURE) {
      throw new CliError('service_failed', exitCodes.failure, 'the service ended as soon as it was started', {
        hint: `ferry ${service.words.join(' ')}  (the same in this terminal: it says why)`,
      });
    }
    if (misses === 0 && (await isReady(service, directory))) return true;
  }
  return false;
}

/** `ready` is null until it is. */
async function isReady({ readiness }: ServiceDescription, directory: string): Promise<boolean> {
  const holder = await readInstance(path.join(directory, readiness.folder), readiness.name);
  return holder !== undefined && 'ready' in holder && holder.ready !== null;
}
