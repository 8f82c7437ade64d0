import { setTimeout as delay } from 'node:timers/promises';
import { fullJitterMs } from '../../../kernel/backoff.js';
import { elementsOf, parseJson, type JsonObject } from '../../../kernel/json-object.js';
import { CliError } from '../errors/cli-error.js';
import { exitCodes } from '../errors/exit-codes.js';
import { FEED_OPEN, type ManagementApi } from './management-api.js';

const RECONNECT = { baseMs: 250, maxMs: 5_000 } as const;

/** Failures after which a retry may succeed, because the relay restarts. */
const transientErrors = new Set(['relay_unreachable', 'draining', 'overloaded', 'http_502', 'http_503', 'http_504']);

export const isTransient = (error: unknown): boolean => error instanceof CliError && transientErrors.has(error.code);

interface Watch {
  readonly topics: readonly string[];
  readonly signal: AbortSignal;
  /** Tells the person at a silent screen that the relay is gone, and that it is back. */
  readonly note: (line: string) => void;
}

/**
 * Yields the time (Unix, ms) whenever one of these topics of `GET /api/events` has changed, and whenever the feed has (re)connected, because
 * changes in between are not repeated. Ends when the signal is aborted.
 * @throws CliError when the relay rejects the request, or cannot be reached at first
 */
async function* watchChanges(api: ManagementApi, { topics, signal, note }: Watch): AsyncGenerator<number> {
  let attempt = 0;
  let [wasOpen, isLost] = [false, false];
  // A function, so that the compiler does not narrow the value across the await.
  const stopped = (): boolean => signal.aborted;
  while (!stopped()) {
    try {
      for await (const { event, data } of api.events('/api/events', signal)) {
        attempt = 0;
        if (isLost) note('The relay is back.');
        [wasOpen, isLost] = [true, false];
        if (event === 'error') throw endOfFeed(data);
        if (event === FEED_OPEN || (event === 'change' && hasTopic(data, topics))) yield Date.now();
      }
    } catch (error) {
      if (stopped()) return;
      if (!isTransient(error) || !wasOpen) throw error;
      // A feed that ends and opens again is no news: the next connection says whether the relay is gone.
      if (!isLost && attempt > 0) {
        note(`${(error as CliError).message}; waiting for it, until Ctrl-C`);
        isLost = true;
      }
    }
    await delay(fullJitterMs((attempt += 1), RECONNECT, Math.random), undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Reads whenever {@link watchChanges} yields, and yields what was read. Skips a read that fails while the relay restarts: the feed is lost
 * then, too, and reads again when it is open.
 */
export async function* readAtChanges<T>(
  api: ManagementApi,
  watch: Watch,
  read: (nowMs: number) => Promise<T>,
): AsyncGenerator<T> {
  for await (const nowMs of watchChanges(api, watch)) {
    let value: T;
    try {
      value = await read(nowMs);
    } catch (error) {
      if (isTransient(error)) continue;
      throw error;
    }
    yield value;
  }
}

/** The error for a feed that the relay closed with an `error` event. */
export function endOfFeed(data: string): CliError {
  const { code = 'internal_error', detail = 'the feed ended', status } = (parseJson(data) ?? {}) as Problem;
  return status === 401
    ? new CliError(code, exitCodes.notSignedIn, detail, { hint: 'ferry login, or ferry up (on the relay’s computer)' })
    : new CliError(code, exitCodes.failure, detail, { hint: 'the same command again' });
}

interface Problem {
  readonly code?: string;
  readonly detail?: string;
  readonly status?: number;
}

const hasTopic = (data: string, topics: readonly string[]): boolean =>
  elementsOf((parseJson(data) as JsonObject | undefined)?.['topics']).some((topic) => topics.includes(String(topic)));
