/** F5 (docs/reference/failures.md#faults): two hundred clients that never read their responses. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { residentBytes } from '../support/process/process-memory.js';
import { FaultHarness } from './support/fault.harness.js';
import type { RecordedRun } from './support/recording-engine.js';
import { percentile, printFigures, repetitions } from './support/repetitions.js';
import { unreadBytes } from './support/socket-queues.js';
import { unreadClient } from './support/unread-client.js';

const CLIENTS = 200;
/** A twentieth of the default of 60 s. */
const SLOW_CLIENT_MS = 3_000;
/** Timers of the relay are coarse, and the machine is busy. */
const CUT_WITHIN_MS = SLOW_CLIENT_MS + 2_000;
/**
 * A client accepts bytes until the operating system's own buffers are full: about 3 MiB per loopback connection. When more streams stall
 * than the link has shared credit for, the others fill theirs in small steps.
 */
const FULL_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 200;
/** A full connection is detected with a delay. */
const CUT_TOLERANCE_MS = 1_000;
const STOPPED_WITHIN_MS = 1_000;
const GROWTH_BYTES = 50 * 1_048_576;
const MEBIBYTE = 1_048_576;
/** 4 MiB. */
const WARM_CHUNKS = 512;
const WARM_CLIENTS = 8;
const CHUNK = 'x'.repeat(8_192);

interface Flood {
  readonly run: RecordedRun;
  bytes: number;
}

/** Bytes in a client's connection, and the time since they have not changed. */
interface Fill {
  bytes: number;
  sinceMs: number;
}

describe('clients that never read', () => {
  let harness: FaultHarness;
  const floods = new Map<string, Flood>();
  const models = ['one', 'four'];
  const behave = (how: (run: RecordedRun) => void | Promise<void>): void => {
    for (const { engine } of harness.nodes) engine.behave = how;
  };

  beforeAll(async () => {
    harness = await FaultHarness.start(
      {
        only: { slots: CLIENTS + 20, models: ['one'] },
        ...Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, { slots: CLIENTS / 4 + 5, models: ['four'] }])),
      },
      { FERRY_SLOW_CLIENT_TIMEOUT_MS: String(SLOW_CLIENT_MS) },
    );
  }, 120_000);

  afterAll(() => harness.stop(), 60_000);

  /** Unlimited output. Without a recording, because the words are gigabytes and are not compared. */
  const flood = async (run: RecordedRun): Promise<void> => {
    const state: Flood = { run, bytes: 0 };
    floods.set(run.marker, state);
    run.call.startStream();
    while (!run.call.gone) {
      state.bytes += CHUNK.length;
      if (run.call.chunk({ content: CHUNK })) await new Promise(setImmediate);
      else await run.call.drained();
    }
  };

  /** Polls how full the connections are. */
  const watchFills = (): { readonly fills: ReadonlyMap<number, Fill>; stop(): void } => {
    const fills = new Map<number, Fill>();
    const port = Number(new URL(harness.relay.baseUrl).port);
    const timer = setInterval(() => {
      for (const [client, bytes] of unreadBytes(port)) {
        if (bytes !== fills.get(client)?.bytes) fills.set(client, { bytes, sinceMs: performance.now() });
      }
    }, LOOK_EVERY_MS);
    return { fills, stop: () => clearInterval(timer) };
  };

  /**
   * Brings relay and node to their working size, with the same number of streams and concurrent bytes, so that only the stalled clients are
   * measured.
   */
  const warmUp = async (): Promise<void> => {
    behave((run) => run.tell(200, 0));
    for (const model of models) await harness.client.many(CLIENTS, { model });
    behave(async (run) => {
      run.call.startStream();
      for (let chunk = 0; chunk < WARM_CHUNKS; chunk += 1) if (!run.say(CHUNK)) await run.call.drained();
      run.call.finish();
    });
    for (const model of models) await harness.client.many(WARM_CLIENTS, { model });
  };

  it('clients that never read use little memory of the relay, are disconnected in time, and their engines stop at once', async () => {
    const figures = {
      grownMib: 0,
      takenMib: 0,
      fullMs: 0,
      cutMs: [] as number[],
      stoppedMs: [] as number[],
      besideMs: 0,
    };
    await warmUp();
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      floods.clear();
      // Then all of them on one node, whose link has not enough shared credit for each.
      const model = repetition === 0 ? 'one' : 'four';
      behave((run) => (run.marker.startsWith(unreadPrefix) ? flood(run) : run.tell(20, 20)));
      const before = residentBytes(harness.relay.pid);
      const requestedAtMs = performance.now();
      const watching = watchFills();
      const clients = await Promise.all(
        Array.from({ length: CLIENTS }, async () => {
          const marker = `${unreadPrefix}${randomUUID().slice(unreadPrefix.length - 2)}`;
          return { marker, ...(await unreadClient(harness.relay, model, marker)) };
        }),
      );
      let grown = 0;
      const watch = setInterval(() => (grown = Math.max(grown, residentBytes(harness.relay.pid) - before)), 100);
      const beside = performance.now();
      expect((await harness.client.ask({ model }).over).end).toBe('completed');
      figures.besideMs = Math.max(figures.besideMs, performance.now() - beside);
      await eventually(
        'every engine was stopped',
        () => [...floods.values()].every(({ run }) => run.call.gone),
        FULL_WITHIN_MS,
      );
      clearInterval(watch);
      watching.stop();
      figures.grownMib = Math.max(figures.grownMib, grown / MEBIBYTE);
      expect(floods.size).toBe(CLIENTS);
      const ends = await harness.endsOf(clients.map(({ requestId }) => requestId));
      for (const { marker, requestId, port, socket } of clients) {
        const stoppedAtMs = await floods.get(marker)?.run.call.aborted;
        const cutAtMs = ends.get(requestId);
        const full = watching.fills.get(port);
        if (stoppedAtMs === undefined || cutAtMs === undefined || full === undefined)
          throw new Error(`${requestId} has no end`);
        figures.takenMib = Math.max(figures.takenMib, full.bytes / MEBIBYTE);
        figures.fullMs = Math.max(figures.fullMs, full.sinceMs - requestedAtMs);
        figures.cutMs.push(cutAtMs - full.sinceMs);
        figures.stoppedMs.push(stoppedAtMs - cutAtMs);
        harness.client.records.push({
          marker,
          requestId,
          status: 200,
          end: 'broken',
          code: null,
          text: '',
          startedAtMs: 0,
          endedAtMs: 0,
        });
        socket.destroy();
      }
      await delay(100);
    }
    printFigures('F5', {
      clients: CLIENTS,
      repetitions,
      relay_growth_mib: figures.grownMib,
      taken_each_mib: figures.takenMib,
      buffers_full_ms: figures.fullMs,
      cut_first_ms: Math.min(...figures.cutMs),
      cut_last_ms: Math.max(...figures.cutMs),
      stopped_p99_ms: percentile(figures.stoppedMs, 0.99),
      stopped_worst_ms: Math.max(...figures.stoppedMs),
      reader_beside_ms: figures.besideMs,
    });
    expect(Math.max(...figures.cutMs)).toBeLessThan(CUT_WITHIN_MS);
    expect(Math.min(...figures.cutMs)).toBeGreaterThan(SLOW_CLIENT_MS - CUT_TOLERANCE_MS);
    expect(Math.max(...figures.stoppedMs)).toBeLessThan(STOPPED_WITHIN_MS);
    expect(figures.grownMib * MEBIBYTE).toBeLessThan(GROWTH_BYTES);
    await harness.expectNothingHeld(models);
    await harness.expectSound();
  }, 3_600_000);
});

/** A marker like any other, which the engine knows. */
const unreadPrefix = 'm-5105ed';
