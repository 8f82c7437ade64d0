/** F7 (docs/reference/failures.md#faults, docs/reference/limits.md#drain): SIGTERM to a relay while two hundred streams run. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { FaultHarness } from './support/fault.harness.js';
import type { RecordedRun } from './support/recording-engine.js';
import { below, printFigures, repetitions, seed, seeded } from './support/repetitions.js';

const STREAMS = 200;
/** Of the two hundred, in repetitions in which not all can finish. */
const ENDLESS = 50;
const NOTICE_MS = 500;
/** A tenth of the default of 30 s; the limit is the grace period plus 2 s. */
const GRACE_MS = 3_000;
const AFTER_GRACE_MS = 2_000;
/** The last stream that finishes does so this long after the signal: well within the grace period, even on a busy machine. */
const FINISH_WITHIN_MS = 1_800;
const EARLY_EXIT_MS = 2_000;
const INTERRUPTED = 130;

describe('a relay that is stopped during two hundred streams', () => {
  let harness: FaultHarness;
  const random = seeded(seed);
  const worst = { exit_after_grace_ms: -Infinity, exit_after_last_ms: -Infinity, finished: 0 };

  beforeAll(async () => {
    harness = await FaultHarness.start(
      { only: { slots: STREAMS + 20 } },
      { FERRY_DRAIN_NOTICE_MS: String(NOTICE_MS), FERRY_DRAIN_TIMEOUT_MS: String(GRACE_MS) },
    );
  }, 120_000);

  afterAll(async () => {
    printFigures('F7', { repetitions, streams: STREAMS, violations: harness.violations, ...worst });
    await harness.stop();
  }, 60_000);

  /** Two hundred streams that continue until told to finish. */
  const startStreams = async () => {
    const finishing = new Set<string>();
    const finished = new Map<string, number>();
    harness.node('only').engine.behave = async (run: RecordedRun) => {
      run.call.startStream();
      while (!run.call.gone && !finishing.has(run.marker)) {
        run.say();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      if (run.call.gone) return;
      run.call.finish();
      finished.set(run.marker, performance.now());
    };
    const asked = Array.from({ length: STREAMS }, () => harness.client.ask());
    await eventually('they all stream', () => asked.every(({ record }) => record.text !== ''), 30_000);
    return { asked, finishing, finished };
  };

  const terminate = (): number => {
    harness.relay.process.child.kill('SIGTERM');
    return performance.now();
  };

  /** Restarts the relay. The node is restarted as well, because after many stops in a row its back-off is long. */
  const comeBack = async (): Promise<void> => {
    await harness.restartRelay();
    await harness.restartNode('only');
  };

  it.each([
    ['ends those that are too long with an error, and is gone with the grace', ENDLESS],
    ['is gone as soon as the last one has finished', 0],
  ])(
    'lets every stream finish that can, refuses new ones, %s',
    async (_name, endless) => {
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        const { asked, finishing, finished } = await startStreams();
        const sentAtMs = terminate();
        const finite = asked.slice(endless);
        for (const { record } of finite)
          setTimeout(() => finishing.add(record.marker), NOTICE_MS + below(random, FINISH_WITHIN_MS - NOTICE_MS));
        await eventually(
          'it is not ready',
          async () => (await fetch(`${harness.relay.baseUrl}/readyz`)).status === 503,
          400,
        );
        await eventually('it takes no new connection', () =>
          fetch(`${harness.relay.baseUrl}/livez`, { headers: { connection: 'close' } }).then(
            () => false,
            () => true,
          ),
        );
        const records = await Promise.all(asked.map(({ over }) => over));
        const code = await harness.relay.process.exited;
        const exitedAtMs = performance.now();
        expect(code).toBe(0);
        for (const record of records.slice(endless)) expect(record).toMatchObject({ end: 'completed' });
        for (const record of records.slice(0, endless))
          expect(record).toMatchObject({ end: 'failed', code: 'draining' });
        worst.finished += records.length - endless;
        const afterGraceMs = exitedAtMs - sentAtMs - NOTICE_MS - GRACE_MS;
        worst.exit_after_grace_ms = Math.max(worst.exit_after_grace_ms, afterGraceMs);
        expect(afterGraceMs).toBeLessThan(AFTER_GRACE_MS);
        if (endless === 0) {
          const afterLastMs = exitedAtMs - Math.max(...finished.values());
          worst.exit_after_last_ms = Math.max(worst.exit_after_last_ms, afterLastMs);
          expect(afterLastMs).toBeLessThan(EARLY_EXIT_MS);
          expect(afterGraceMs).toBeLessThan(0);
        }
        await comeBack();
        await harness.expectSound();
      }
      await harness.expectNothingHeld();
      await harness.expectSound();
    },
    3_600_000,
  );

  it('exits at once on the second signal', async () => {
    const { asked } = await startStreams();
    terminate();
    await new Promise((resolve) => setTimeout(resolve, NOTICE_MS + 200));
    const sentAgainAtMs = terminate();
    expect(await harness.relay.process.exited).toBe(INTERRUPTED);
    expect(performance.now() - sentAgainAtMs).toBeLessThan(1_000);
    for (const { over } of asked) expect((await over).end).toBe('broken');
    await comeBack();
    await harness.expectNothingHeld();
  }, 120_000);
});
