/** Entry point of the relay: of the process that is the relay, or of the one that starts its workers. The caller handles signals. */
import 'reflect-metadata';
import cluster from 'node:cluster';
import { availableCores } from '../../kernel/available-cores.js';
import {
  loadRelaySettings,
  relayDirectory,
  type Environment,
  type SettingFlags,
} from '../platform/config/resolve-relay-config.js';
import type { RelaySettings } from '../platform/config/relay-settings.js';
import type { PrimaryLink } from '../platform/workers/primary-link.js';
import type { RunningRelay } from './running-relay.js';

export type { RunningRelay } from './running-relay.js';
export { resetPassword, type ResetPasswordOptions, type ResetPasswordResult } from './reset-password.js';

export interface StartRelayOptions {
  readonly env: Environment;
  /** Settings given on the command line, by the names of the settings. */
  readonly flags?: SettingFlags;
  /** Called with each step of the start that may take long, in words that complete "it is …". */
  readonly begin?: (step: string) => void;
}

/**
 * Starts a relay and resolves when it is ready to serve.
 * @throws SettingsError (all problems at once) · InstanceLockedError · DatabaseInUseError · the system's error when it cannot listen (`EADDRINUSE`)
 */
export async function startRelay({ env, flags = {}, begin }: StartRelayOptions): Promise<RunningRelay> {
  const loaded = loadRelaySettings(env, flags);
  const workers = workerCount(loaded.values);
  // Loaded apart: the process that starts the workers serves nothing itself.
  if (workers > 1) {
    const { startWorkers } = await import('./workers/start-workers.js');
    return startWorkers({ settings: loaded.values, dataDirectory: relayDirectory(env), workers, begin });
  }
  const { startProcess } = await import('./start-process.js');
  return startProcess({ env, flags, loaded, begin, primary: null });
}

/** Whether another process of `ferry serve` has started this one as a worker. */
export const isWorker = (): boolean => cluster.isWorker;

/** Serves as one of several workers, until the process that has started it says otherwise or is gone. */
export async function runWorker({ env, flags = {} }: Pick<StartRelayOptions, 'env' | 'flags'>): Promise<void> {
  const { runWorker: run } = await import('./workers/run-worker.js');
  const { startProcess } = await import('./start-process.js');
  await run((primary: PrimaryLink, begin) =>
    startProcess({ env, flags, loaded: loadRelaySettings(env, flags), begin, primary }),
  );
}

/** @returns 1 with the embedded database, which only one process can open */
function workerCount({ workers, databaseUrl }: RelaySettings): number {
  if (databaseUrl === undefined) return 1;
  return workers === 'auto' ? Math.max(1, Math.floor(availableCores())) : workers;
}
