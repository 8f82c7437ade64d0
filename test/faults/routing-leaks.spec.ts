/**
 * Requests, queue, slots, health and timers through 10,000 requests with every kind of event: nothing of them is left. In one process
 * with a manual clock, so that the counts can be read.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import type { ErrorCode } from '../../src/kernel/errors/error-catalogue.js';
import type { RejectReason } from '../../src/link/messages.js';
import type { HarnessClient } from '../support/relay/harness-client.js';
import type { HarnessStream } from '../support/relay/harness-stream.js';
import { InferenceHarness, nothingLeft } from '../support/relay/inference.harness.js';
import { below, printFigures, seed, seeded } from './support/repetitions.js';

const REQUESTS = 10_000;
const TOGETHER = 60;
const NODES = ['a', 'b', 'c', 'd'];
const refusals: readonly RejectReason[] = ['busy', 'draining', 'not_loaded'];
const aborts: readonly ErrorCode[] = ['draining', 'capacity'];

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const heapBytes = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

describe('ten thousand requests with aborts, lost nodes and failing engines', () => {
  it('leak no request, slot, timer, stream or memory', () => {
    const random = seeded(seed);
    const happened: Record<string, number> = {};
    const round = (requests: number): void => {
      const harness = new InferenceHarness({
        nodes: Object.fromEntries(NODES.map((name) => [name, { slots: 1 + below(random, 6) }])),
        limits: { queueTimeoutMs: 2_000, firstEventTimeoutMs: 5_000, eventIdleTimeoutMs: 3_000 },
        health: { healthProbeAfterMs: 50, healthProbeMaxMs: 200 },
        queueLimit: 100,
        confirming: true,
      });
      for (let sent = 0; sent < requests || harness.context.live.size > 0;) {
        const step = below(random, 8);
        if (step === 0 && sent < requests && harness.context.live.size < TOGETHER) {
          harness.send({ stream: random() < 0.7 });
          sent += 1;
        } else if (step === 1) harness.pass(random() < 0.02 ? 6_000 : below(random, 100));
        else somethingHappens(harness);
      }
      for (const stream of harness.streams) stream.stopped('none');
      // Probes of nodes and pending resets expire.
      harness.pass(120_000);
      expect(harness.leftovers()).toEqual(nothingLeft);
      for (const client of harness.clients) {
        expect(client.reports).toHaveLength(1);
        expect(client.bodyReleases).toBe(1);
        const [report] = client.reports;
        if (report !== undefined) happened[report.outcome] = (happened[report.outcome] ?? 0) + 1;
      }
      for (const stream of harness.streams) expect(stream.phase).toBe('closed');
    };

    const any = <Value>(values: readonly Value[]): Value | undefined => values[below(random, values.length)];

    const somethingHappens = (harness: InferenceHarness): void => {
      const open = harness.streams.slice(-4 * TOGETHER).filter(({ phase }) => phase !== 'closed');
      const stream = any(open);
      const waiting = (): HarnessClient[] =>
        harness.clients.slice(-4 * TOGETHER).filter(({ reports }) => reports.length === 0);
      switch (below(random, 12)) {
        case 0: {
          any(waiting())?.leave();
          return;
        }
        case 1: {
          // A node disconnects.
          const name = random() < 0.2 ? any(NODES) : undefined;
          for (const lost of open) if (lost.node === name) lost.lose();
          return;
        }
        case 2: {
          any(waiting())?.request.abort('failed', any(aborts) ?? 'draining', 'on purpose', 'draining');
          return;
        }
        case 3: {
          const name = any(NODES) ?? 'a';
          // Mostly it is heard from again soon.
          if (!harness.brokenLinks.has(name) && random() < 0.7) return;
          if (!harness.brokenLinks.delete(name)) harness.brokenLinks.add(name);
          if (harness.brokenLinks.size === NODES.length) harness.brokenLinks.clear();
          harness.fleetChanged();
          return;
        }
        default:
          if (stream !== undefined) goOn(stream);
      }
    };

    const goOn = (stream: HarnessStream): void => {
      if (stream.phase === 'opened') {
        if (random() < 0.2) stream.reject(any(refusals));
        else stream.ack();
      } else if (stream.phase === 'acknowledged') {
        if (random() < 0.15) stream.end('failed', {});
        else stream.begin().data();
      } else if (random() < 0.5) stream.data();
      else if (random() < 0.2) stream.end('failed', {});
      else stream.end();
    };

    round(REQUESTS / 10);
    const before = heapBytes();
    round(REQUESTS);
    const after = heapBytes();
    printFigures('leak, in process', {
      requests: REQUESTS,
      ...happened,
      heap_growth_percent: ((after - before) / before) * 100,
    });
    expect(
      Math.min(...['completed', 'failed', 'cancelled', 'rejected', 'timed_out'].map((end) => happened[end] ?? 0)),
    ).toBeGreaterThan(0);
    expect(after).toBeLessThan(before * 1.15);
  }, 300_000);
});
