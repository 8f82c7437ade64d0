/** F20 (docs/reference/failures.md#faults): a relay with few file descriptors, and one with a small heap. */
import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { FaultHarness } from './support/fault.harness.js';
import type { ClientRecord } from './support/history.js';
import { printFigures, repetitions } from './support/repetitions.js';

const DESCRIPTORS = 256;
const ENOUGH_DESCRIPTORS = 4_096;
/** More connections than descriptors; each stream has one. */
const CROWD = 400;
const RUNNING = 50;
const HEAP_MIB = 256;
const UPLOADS = 12;
const UPLOAD_BYTES = 15 * 1_048_576;
const STREAMS = 200;

const counted = (records: readonly ClientRecord[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { end, status } of records) {
    const name = `${end}${status === null ? '' : `_${status}`}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};

describe('a relay', () => {
  let harness: FaultHarness;

  afterEach(() => harness.stop(), 60_000);

  /** The effective soft limit of the running process: Node raises it to the hard limit when it starts. */
  const limitDescriptors = (count: number): void => {
    execFileSync('prlimit', ['--pid', String(harness.relay.pid), `--nofile=${count}:`]);
  };

  it('a relay with few descriptors refuses new connections, keeps running requests, and recovers afterwards', async () => {
    harness = await FaultHarness.start({ only: { slots: CROWD + RUNNING } });
    limitDescriptors(DESCRIPTORS);
    const totals: Record<string, number> = {};
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      harness.node('only').engine.behave = (run) => run.tell(60, 50);
      const running = Array.from({ length: RUNNING }, () => harness.client.ask());
      await eventually('they stream', () => running.every(({ record }) => record.text !== ''));
      const crowd = await harness.client.many(CROWD);
      for (const [name, count] of Object.entries(counted(crowd))) totals[name] = (totals[name] ?? 0) + count;
      for (const { over } of running) expect((await over).end).toBe('completed');
      // Every accepted client gets the complete response or an error; some were not accepted.
      for (const { end, status } of crowd) {
        if (status === null) expect(end).toBe('broken');
        else if (status === 200) expect(end).toBe('completed');
        else expect([429, 503]).toContain(status);
      }
      expect(crowd.filter(({ end }) => end === 'completed').length).toBeGreaterThan(0);
      expect(crowd.filter(({ end }) => end !== 'completed').length).toBeGreaterThan(0);
      expect(harness.relay.process.running).toBe(true);
      await harness.expectSound();
    }
    printFigures('F20, descriptors', { limit: DESCRIPTORS, repetitions, at_once: CROWD, ...totals });
    limitDescriptors(ENOUGH_DESCRIPTORS);
    await harness.expectNothingHeld();
    await harness.expectSound();
  }, 1_800_000);

  it('a relay with a small heap refuses requests that do not fit, and continues with the rest', async () => {
    harness = await FaultHarness.start(
      { only: { slots: STREAMS + UPLOADS } },
      { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` },
    );
    const uploads: Record<string, number> = {};
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      harness.node('only').engine.behave = (run) => (run.call.streaming ? run.tell(60, 50) : run.respond());
      const streams = Array.from({ length: STREAMS }, () => harness.client.ask());
      await eventually('they stream', () => streams.every(({ record }) => record.text !== ''), 30_000);
      const large = await Promise.all(
        Array.from(
          { length: UPLOADS },
          (_unused, index) =>
            harness.client.ask({ stream: false, extra: { metadata: index % 2 === 0 ? oneLongText : manyValues } }).over,
        ),
      );
      for (const { status } of large) expect([200, 429, 503]).toContain(status);
      for (const [name, count] of Object.entries(counted(large))) uploads[name] = (uploads[name] ?? 0) + count;
      for (const { over } of streams) expect((await over).end).toBe('completed');
      expect(harness.relay.process.running).toBe(true);
      await harness.expectSound();
    }
    printFigures('F20, heap', { mib: HEAP_MIB, repetitions, streams: STREAMS, ...uploads });
    await harness.expectNothingHeld();
    await harness.expectSound();
  }, 1_800_000);
});

/** As large as allowed: one long text, and the maximum number of small values in a body. */
const oneLongText = { text: 'x'.repeat(UPLOAD_BYTES) };
const manyValues = { values: Array.from({ length: 240_000 }, () => ({ a: 1 })) };
