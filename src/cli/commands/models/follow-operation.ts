import { setTimeout as delay } from 'node:timers/promises';
import { fullJitterMs } from '../../../kernel/backoff.js';
import { systemClock } from '../../../kernel/clock.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import { endOfFeed, isTransient } from '../../core/api/watch-changes.js';
import type { OperationProgress } from './operation-progress.js';
import { isOver } from './operation.js';
import type { Schemas } from '../../core/api/management-api.types.js';

/** Time for a relay to restart; the operation continues without it. */
const GIVE_UP_AFTER_MS = 300_000;
const RECONNECT = { baseMs: 250, maxMs: 5_000 } as const;

/**
 * Follows an operation until its end, across restarts of the relay.
 * @returns the operation with its outcome; undefined when the signal was aborted first
 * @throws CliError when the relay refuses, or stays unreachable
 */
export async function followOperation(
  api: ManagementApi,
  id: string,
  progress: OperationProgress,
  signal: AbortSignal,
): Promise<Schemas['Operation'] | undefined> {
  let attempt = 0;
  let heardAtMs = systemClock.monotonicMs();
  // A call, so that the compiler does not narrow the value across the await.
  const stopped = (): boolean => signal.aborted;
  while (!stopped()) {
    try {
      for await (const operation of statesOf(api, id, signal)) {
        attempt = 0;
        heardAtMs = systemClock.monotonicMs();
        progress.update(operation);
        if (isOver(operation)) return operation;
      }
    } catch (error) {
      if (stopped()) return undefined;
      if (!isTransient(error) || systemClock.monotonicMs() - heardAtMs > GIVE_UP_AFTER_MS) throw error;
    }
    progress.lost();
    await delay(fullJitterMs((attempt += 1), RECONNECT, Math.random), undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

async function* statesOf(api: ManagementApi, id: string, signal: AbortSignal): AsyncGenerator<Schemas['Operation']> {
  for await (const { event, data } of api.events('/api/operations/{id}/events', signal, { path: { id } })) {
    if (event === 'operation') yield JSON.parse(data) as Schemas['Operation'];
    else if (event === 'error') throw endOfFeed(data);
  }
}
