/** F1 and F2 (docs/reference/failures.md#faults): a node that is killed, frozen, or behind a half-open connection. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { FaultHarness } from './support/fault.harness.js';
import type { ClientRecord } from './support/history.js';
import { printFigures, repetitions } from './support/repetitions.js';

/** A tenth of the defaults (10 s, 25 s), which reduces the limit of 30 s equally. */
const PING_MS = 1_000;
const DEAD_AFTER_MS = 2_500;
const GONE_WITHIN_MS = 3_000;
/** F1. */
const ANSWERED_WITHIN_MS = 3_000;
const ENDED_WITHIN_MS = 2_000;

const SLOTS = 8;

const every = Array.from({ length: repetitions }, (_unused, index) => index + 1);

describe('a node', () => {
  let harness: FaultHarness;
  const worst: Record<string, number> = {};
  let takenOver = 0;

  const worstOf = (name: string, sinceMs: number, records: readonly ClientRecord[]): number => {
    const took = Math.max(...records.map(({ endedAtMs }) => endedAtMs - sinceMs));
    worst[name] = Math.max(worst[name] ?? 0, took);
    return took;
  };

  beforeAll(async () => {
    harness = await FaultHarness.start(
      {
        victim: { slots: SLOTS, models: ['fake', 'only-here'], proxied: true },
        spare: { slots: SLOTS, models: ['fake', 'only-there'] },
      },
      { FERRY_LINK_PING_INTERVAL_MS: String(PING_MS), FERRY_LINK_DEAD_AFTER_MS: String(DEAD_AFTER_MS) },
    );
  }, 120_000);

  afterAll(async () => {
    printFigures('F1, F2', { repetitions, violations: harness.violations, taken_over: takenOver, ...worst });
    await harness.stop();
  }, 60_000);

  /** Restores the node and checks every invariant. */
  const recover = async (): Promise<void> => {
    await harness.restartNode('victim');
    await harness.expectNothingHeld(['only-here']);
    await harness.expectSound();
  };

  const victim = () => harness.node('victim');
  const kill = (): number => {
    victim().node.process.child.kill('SIGKILL');
    return performance.now();
  };

  const spare = () => harness.node('spare');

  /**
   * Two requests that another node can take over, and one that only the victim can serve. The other node has no free slot when they are
   * sent, so that all of them go to the victim, and all slots free before the victim is killed.
   */
  const askVictim = async (takenByVictim: () => Promise<unknown>) => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    spare().engine.behave = async (run) => {
      if (run.call.body['model'] === 'only-there') await released;
      await run.respond();
    };
    const blocking = Array.from({ length: SLOTS }, () => harness.client.ask({ model: 'only-there' }).over);
    await eventually('the other node is full', () => spare().engine.open.length === SLOTS);
    const shared = [harness.client.ask({ stream: true }), harness.client.ask({ stream: false })].map(
      ({ over }) => over,
    );
    const alone = harness.client.ask({ model: 'only-here' }).over;
    await takenByVictim();
    release();
    expect((await Promise.all(blocking)).map(({ end }) => end)).toEqual(blocking.map(() => 'completed'));
    return { shared, alone };
  };

  /** The victim's requests were answered by the other node, and the relay logged the retry. */
  const expectTakenOver = async (shared: readonly Promise<ClientRecord>[], ranOnVictim: boolean): Promise<void> => {
    for (const { marker, requestId, end } of await Promise.all(shared)) {
      expect(end).toBe('completed');
      expect(victim().engine.runOf(marker) !== undefined).toBe(ranOnVictim);
      expect(spare().engine.runOf(marker)).toBeDefined();
      await eventually('it is logged as run again', () => harness.retried.has(requestId ?? ''), 5_000);
      const { attempts } = await harness.relay.manage<{ attempts: readonly { node_id: string; result: string }[] }>(
        'GET',
        `/requests/${requestId ?? ''}`,
      );
      expect(attempts).toMatchObject([
        { node_id: await victim().node.id(), result: 'lost' },
        { node_id: await spare().node.id(), result: 'completed' },
      ]);
      takenOver += 1;
    }
  };

  describe('that is killed', () => {
    it.each(every)(
      'a node that is killed before it has accepted the request: another node responds, or a 503 in time (%i)',
      async () => {
        victim().node.process.child.kill('SIGSTOP');
        const { shared, alone } = await askVictim(() => delay(200));
        const killedAtMs = kill();
        await expectTakenOver(shared, false);
        expect(await alone).toMatchObject({ end: 'refused', status: 503, code: 'node_disconnected' });
        expect(worstOf('unacknowledged_ms', killedAtMs, [await alone])).toBeLessThan(ANSWERED_WITHIN_MS);
        await recover();
      },
      60_000,
    );

    it.each(every)(
      "a node that is killed before its engine's first output: another one answers, or a 503 in time (%i)",
      async () => {
        victim().engine.behave = () => undefined;
        const { shared, alone } = await askVictim(() =>
          eventually('the engine has them', () => victim().engine.open.length === 3),
        );
        const killedAtMs = kill();
        await expectTakenOver(shared, true);
        expect(await alone).toMatchObject({ end: 'refused', status: 503, code: 'node_disconnected' });
        expect(worstOf('acknowledged_ms', killedAtMs, [await alone])).toBeLessThan(ANSWERED_WITHIN_MS);
        await recover();
      },
      60_000,
    );

    it.each(every)(
      'a node that is killed during streams: they end with an error and never as complete (%i)',
      async () => {
        const streams = await startStreams(4);
        const killedAtMs = kill();
        const records = await Promise.all(streams);
        for (const record of records) expect(record).toMatchObject({ end: 'failed', code: 'node_disconnected' });
        expect(worstOf('mid_stream_ms', killedAtMs, records)).toBeLessThan(ENDED_WITHIN_MS);
        await recover();
      },
      60_000,
    );
  });

  it.each(every)(
    'a node that freezes: its streams end and it gets no more requests (%i)',
    async () => {
      const streams = await startStreams(4);
      victim().node.process.child.kill('SIGSTOP');
      await expectGone('frozen_ms', performance.now(), streams);
      await recover();
    },
    60_000,
  );

  it.each(every)(
    'behind a half-open connection: its streams end and it gets no more requests (%i)',
    async () => {
      const streams = await startStreams(4);
      victim().proxy?.blackhole();
      await expectGone('half_open_ms', performance.now(), streams);
      victim().proxy?.heal();
      await recover();
    },
    60_000,
  );

  /** @returns the ends of the streams, once each has sent its first words */
  const startStreams = async (count: number): Promise<Promise<ClientRecord>[]> => {
    victim().engine.behave = (run) => run.tell(10_000, 20);
    const asked = Array.from({ length: count }, () => harness.client.ask({ model: 'only-here' }));
    await eventually('they all stream', () => asked.every(({ record }) => record.text !== ''));
    return asked.map(({ over }) => over);
  };

  const expectGone = async (name: string, sinceMs: number, streams: Promise<ClientRecord>[]): Promise<void> => {
    const records = await Promise.all(streams);
    for (const record of records) expect(record).toMatchObject({ end: 'failed', code: 'node_disconnected' });
    expect(worstOf(name, sinceMs, records)).toBeLessThan(GONE_WITHIN_MS + PING_MS);
    expect(await harness.client.ask({ model: 'only-here' }).over).toMatchObject({ end: 'refused', status: 503 });
  };
});
