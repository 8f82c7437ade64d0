/** F1 and F2 (reliability §4.2): a node that is killed, freezes, or whose connection is half open. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { FaultRig } from './support/fault-rig.js';
import type { ClientRecord } from './support/history.js';
import { printFigures, repetitions } from './support/repetitions.js';

/** A tenth of the defaults (10 s, 25 s), and of the bar of 30 s with them. */
const PING_MS = 1_000;
const DEAD_AFTER_MS = 2_500;
const GONE_WITHIN_MS = 3_000;
/** F1. */
const ANSWERED_WITHIN_MS = 3_000;
const ENDED_WITHIN_MS = 2_000;

const every = Array.from({ length: repetitions }, (_unused, index) => index + 1);

describe('a node', () => {
  let rig: FaultRig;
  const worst: Record<string, number> = {};

  const worstOf = (name: string, sinceMs: number, records: readonly ClientRecord[]): number => {
    const took = Math.max(...records.map(({ endedAtMs }) => endedAtMs - sinceMs));
    worst[name] = Math.max(worst[name] ?? 0, took);
    return took;
  };

  beforeAll(async () => {
    rig = await FaultRig.start(
      { victim: { slots: 8, models: ['fake', 'only-here'], proxied: true }, spare: { slots: 8 } },
      { FERRY_LINK_PING_INTERVAL_MS: String(PING_MS), FERRY_LINK_DEAD_AFTER_MS: String(DEAD_AFTER_MS) },
    );
  }, 120_000);

  afterAll(async () => {
    printFigures('F1, F2', { repetitions, violations: rig.violations, ...worst });
    await rig.stop();
  }, 60_000);

  /** A node back as it was, and every invariant. */
  const recover = async (): Promise<void> => {
    await rig.restartNode('victim');
    await rig.expectNothingHeld(['only-here']);
    await rig.expectSound();
  };

  const victim = () => rig.node('victim');
  const kill = (): number => {
    victim().node.process.child.kill('SIGKILL');
    return performance.now();
  };

  /** Two requests that another node can take over, and one that only the victim can serve. */
  const askBoth = () => ({
    shared: [rig.client.ask({ stream: true }), rig.client.ask({ stream: false })].map(({ over }) => over),
    alone: rig.client.ask({ model: 'only-here' }).over,
  });

  describe('that is killed', () => {
    it.each(every)(
      'before it has taken the request: another one answers, or a 503 in time (%i)',
      async () => {
        for (const { engine } of rig.nodes) engine.behave = (run) => run.answer();
        victim().node.process.child.kill('SIGSTOP');
        const { shared, alone } = askBoth();
        await delay(200);
        const killedAtMs = kill();
        expect((await Promise.all(shared)).map(({ end }) => end)).toEqual(['completed', 'completed']);
        expect(await alone).toMatchObject({ end: 'refused', status: 503, code: 'node_disconnected' });
        expect(worstOf('unacknowledged_ms', killedAtMs, [await alone])).toBeLessThan(ANSWERED_WITHIN_MS);
        await recover();
      },
      60_000,
    );

    it.each(every)(
      'while its engine has said nothing: another one answers, or a 503 in time (%i)',
      async () => {
        victim().engine.behave = () => undefined;
        rig.node('spare').engine.behave = (run) => run.answer();
        const { shared, alone } = askBoth();
        await eventually('the engine has it', () => victim().engine.open.length > 0);
        await delay(100);
        const killedAtMs = kill();
        expect((await Promise.all(shared)).map(({ end }) => end)).toEqual(['completed', 'completed']);
        expect(await alone).toMatchObject({ end: 'refused', status: 503, code: 'node_disconnected' });
        expect(worstOf('acknowledged_ms', killedAtMs, [await alone])).toBeLessThan(ANSWERED_WITHIN_MS);
        await recover();
      },
      60_000,
    );

    it.each(every)(
      'in the middle of streams: they end with an error and never as if they were finished (%i)',
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
    'that freezes: its streams end and it gets no more work (%i)',
    async () => {
      const streams = await startStreams(4);
      victim().node.process.child.kill('SIGSTOP');
      await expectGone('frozen_ms', performance.now(), streams);
      await recover();
    },
    60_000,
  );

  it.each(every)(
    'behind a connection that is half open: its streams end and it gets no more work (%i)',
    async () => {
      const streams = await startStreams(4);
      victim().proxy?.blackhole();
      await expectGone('half_open_ms', performance.now(), streams);
      victim().proxy?.heal();
      await recover();
    },
    60_000,
  );

  /** @returns their ends, once each has told its first words */
  const startStreams = async (count: number): Promise<Promise<ClientRecord>[]> => {
    victim().engine.behave = (run) => run.tell(10_000, 20);
    const asked = Array.from({ length: count }, () => rig.client.ask({ model: 'only-here' }));
    await eventually('they all stream', () => asked.every(({ record }) => record.text !== ''));
    return asked.map(({ over }) => over);
  };

  const expectGone = async (name: string, sinceMs: number, streams: Promise<ClientRecord>[]): Promise<void> => {
    const records = await Promise.all(streams);
    for (const record of records) expect(record).toMatchObject({ end: 'failed', code: 'node_disconnected' });
    expect(worstOf(name, sinceMs, records)).toBeLessThan(GONE_WITHIN_MS + PING_MS);
    expect(await rig.client.ask({ model: 'only-here' }).over).toMatchObject({ end: 'refused', status: 503 });
  };
});
