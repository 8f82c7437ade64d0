import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { account, FakeNode, reportedModel, selector } from '../../../../test/support/relay/routing-fleet.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { AttemptEnd } from './attempt-prediction.js';
import { CompletionPredictor } from './completion-predictor.js';
import { totalMs } from './cost-parts.js';
import type { Demand } from './demand.js';
import { FIRST_TOKEN_MS } from './model-stats.js';
import { REMEMBERED_MODELS } from './node-stats.js';
import { ratePriors } from './priors.js';

const demand: Demand = { bodyBytes: 4_000, maxOutputTokens: null, stream: true, hasMedia: false };
const placementOf = (name: string): Placement => ({ node: new FakeNode(name, { slots: 8 }), report: reportedModel() });
const ended = (end: Partial<AttemptEnd> = {}): AttemptEnd => ({
  completed: true,
  faultSubject: null,
  firstEventMs: 520,
  totalMs: 2_520,
  inputTokens: 1_000,
  cachedTokens: 0,
  outputTokens: 101,
  ...end,
});

const labOf = () => {
  const clock = new ManualClock();
  const predictor = new CompletionPredictor(clock);
  const cost = (placement: Placement, busy = 0, cached = 0): number =>
    totalMs(predictor.predict(placement, predictor.size(account, selector, demand), busy, 8, cached));
  const serve = (placement: Placement, end: AttemptEnd | null = ended(), passMs = 2_520): void => {
    const forecast = predictor.sent(placement, demand, 0, 0);
    clock.advance(passMs);
    if (end?.firstEventMs !== null && end !== null) predictor.begun(forecast);
    predictor.ended(forecast, 0, end);
  };
  return { clock, predictor, cost, serve };
};

describe('predicted completion', () => {
  test('learns prefill and generation rates from reports', () => {
    const { predictor, serve } = labOf();
    const placement = placementOf('a');
    for (let time = 0; time < 10; time += 1) serve(placement);
    const parts = predictor.predict(placement, { promptTokens: 1_000, outputTokens: 100 }, 0, 8, 0);
    expect(parts.prefillMs).toBeGreaterThan(450);
    expect(parts.prefillMs).toBeLessThan(600);
    expect(parts.decodeMs).toBeGreaterThan(1_800);
    expect(parts.decodeMs).toBeLessThan(2_200);
  });

  test('predicted completion is later on an engine that others use or whose queue is not empty', () => {
    const { cost } = labOf();
    const placement = placementOf('a');
    const engineOf = (load: object): Placement => {
      const [engine] = placement.node.status?.engines ?? [];
      const status = placement.node.status && { ...placement.node.status, engines: [{ ...engine!, ...load }] };
      return { ...placement, node: Object.assign(new FakeNode('a', { slots: 8 }), { status }) };
    };
    const alone = cost(placement);
    expect(cost(engineOf({ foreign_requests: 0 }))).toBe(alone);
    expect(cost(engineOf({ foreign_requests: 4 }))).toBe(cost(placement, 4));
    expect(cost(engineOf({ foreign_requests: 4 }))).toBeGreaterThan(alone);
    expect(cost(engineOf({ queue_depth: 4 }))).toBeGreaterThan(alone);
  });

  test('predicted completion is the same after a restart, and what was restored is not stored again', () => {
    const before = labOf();
    const placement = placementOf('a');
    for (let time = 0; time < 10; time += 1) before.serve(placement);
    const learned = [...before.predictor.learnedSince(-Infinity)];
    expect(learned).toHaveLength(1);
    expect([...before.predictor.learnedSince(before.clock.monotonicMs())]).toEqual([]);

    const after = labOf();
    after.predictor.restore(learned);
    const size = { promptTokens: 1_000, outputTokens: 100 };
    expect(after.predictor.predict(placement, size, 0, 8, 0)).toEqual(
      before.predictor.predict(placement, size, 0, 8, 0),
    );
    expect([...after.predictor.learnedSince(after.clock.monotonicMs())]).toEqual([]);
    after.predictor.restore(learned);
    after.predictor.forget(placement.node.nodeId);
    expect(after.predictor.predict(placement, size, 0, 8, 0)).toEqual(
      labOf().predictor.predict(placement, size, 0, 8, 0),
    );
  });

  test('counts the prompts before a request by their tokens until they are read', () => {
    const { clock, predictor, serve } = labOf();
    const placement = placementOf('a');
    // 0.5 ms per token.
    for (let time = 0; time < 20; time += 1) serve(placement);
    const ask = (bodyBytes: number, cachedPromptTokens = 0) =>
      predictor.sent(placement, { ...demand, bodyBytes }, 0, cachedPromptTokens);
    const long = ask(40_000);
    const short = ask(4_000, 500);
    expect(long.prefillAheadMs).toBe(0);
    expect(short.prefillAheadMs).toBeGreaterThan(4_000);
    expect(short.prefillAheadMs).toBeLessThan(6_000);
    clock.advance(1_000);
    const third = ask(4_000);
    expect(third.prefillAheadMs).toBeLessThan(short.prefillAheadMs);
    expect(third.prefillAheadMs).toBeGreaterThan(short.prefillAheadMs - 1_000);
    for (const forecast of [long, short, third]) predictor.begun(forecast);
    expect(ask(4_000).prefillAheadMs).toBe(0);
  });

  test('a look at other models does not displace what was learned of one', () => {
    const { clock, predictor, serve } = labOf();
    const placement = placementOf('a');
    for (let time = 0; time < 10; time += 1) serve(placement, ended({ totalMs: 90_000 }));
    const size = { promptTokens: 1_000, outputTokens: 100 };
    const learned = predictor.predict(placement, size, 0, 8, 0);
    for (let model = 0; model < 2 * REMEMBERED_MODELS; model += 1) {
      const report = reportedModel({ key: `engine/other-${model}`, size_bytes: 1_000_000_000 * (model % 3) });
      const { prefill, decode } = ratePriors(report.size_bytes, null);
      const { prefillMs, decodeMs } = predictor.predict({ ...placement, report }, size, 2, 8, 0);
      expect(prefillMs).toBeCloseTo(FIRST_TOKEN_MS + 1_000 * prefill.msPerToken * (1 + 2 * prefill.contention));
      expect(decodeMs).toBeCloseTo(100 * decode.msPerToken * (1 + 2 * decode.contention));
    }
    expect(predictor.predict(placement, size, 0, 8, 0)).toEqual(learned);
    expect([...predictor.learnedSince(clock.monotonicMs() - 10_000_000)]).toHaveLength(1);
  });

  test('a fast node is cheaper than a slow one', () => {
    const { cost, serve } = labOf();
    const [fast, slow] = [placementOf('fast'), placementOf('slow')];
    serve(fast);
    serve(slow, ended({ firstEventMs: 9_000, totalMs: 40_000 }));
    expect(cost(fast)).toBeLessThan(cost(slow) / 3);
  });

  test('learns from the total of a whole answer', () => {
    const { predictor, clock } = labOf();
    const placement = placementOf('a');
    const whole = { ...demand, stream: false };
    for (let time = 0; time < 10; time += 1) {
      const forecast = predictor.sent(placement, whole, 0, 0);
      clock.advance(2_000);
      predictor.ended(forecast, 0, ended({ firstEventMs: 2_000, totalMs: 2_000, outputTokens: 101 }));
    }
    const size = predictor.size(account, selector, whole);
    expect(totalMs(predictor.predict(placement, size, 0, 8, 0))).toBeLessThan(3_000);
  });

  test('costs never fall with load', () => {
    const { cost, serve } = labOf();
    const placement = placementOf('a');
    serve(placement);
    fc.assert(
      fc.property(fc.nat(6), fc.nat(20_000), (busy, cached) => {
        expect(cost(placement, busy + 1)).toBeGreaterThanOrEqual(cost(placement, busy));
        expect(cost(placement, busy, cached)).toBeLessThanOrEqual(cost(placement, busy));
      }),
    );
  });

  test('cached tokens save prefill only', () => {
    const { predictor } = labOf();
    fc.assert(
      fc.property(fc.nat(7), fc.nat(1_000_000), fc.integer({ min: 1, max: 100_000 }), (busy, cached, promptTokens) => {
        const parts = predictor.predict(placementOf('a'), { promptTokens, outputTokens: 10 }, busy, 8, cached);
        expect(-parts.affinityMs).toBeLessThanOrEqual(parts.prefillMs);
        expect(totalMs(parts)).toBeGreaterThanOrEqual(parts.decodeMs);
      }),
    );
  });

  test('a refusal is not learned from', () => {
    const { predictor, cost, serve } = labOf();
    const placement = placementOf('a');
    const before = cost(placement);
    serve(placement, null);
    expect([cost(placement), predictor.isAvoided(placement)]).toEqual([before, false]);
  });

  test('a deleted node is forgotten', () => {
    const { cost, predictor, serve } = labOf();
    const placement = placementOf('a');
    const before = predictor.predict(placement, { promptTokens: 100, outputTokens: 10 }, 0, 8, 0).decodeMs;
    serve(placement);
    expect(cost(placement)).toBeLessThan(before * 100);
    predictor.forget(placement.node.nodeId);
    expect(predictor.predict(placement, { promptTokens: 100, outputTokens: 10 }, 0, 8, 0).decodeMs).toBe(before);
  });
});

describe('a late first event', () => {
  const begin = (lab: ReturnType<typeof labOf>, placement: Placement, afterMs: number): void => {
    const forecast = lab.predictor.sent(placement, demand, 0, 0);
    lab.clock.advance(afterMs);
    lab.predictor.begun(forecast);
    lab.predictor.ended(forecast, 0, null);
  };

  test("a late first event is judged by the node's own history only", () => {
    const lab = labOf();
    const placement = placementOf('a');
    for (let time = 0; time < 19; time += 1) begin(lab, placement, 500);
    const forecast = lab.predictor.sent(placement, demand, 0, 0);
    expect(lab.predictor.lateInMs(forecast)).toBeNull();
    for (let time = 0; time < 400; time += 1) begin(lab, placement, 500);
    const lateInMs = lab.predictor.lateInMs(forecast);
    expect(lateInMs).toBe(0);
    const fresh = lab.predictor.sent(placement, demand, 0, 0);
    const expectedMs = lab.predictor.lateInMs(fresh) ?? NaN;
    expect(expectedMs).toBeGreaterThan(400);
    expect(expectedMs).toBeLessThan(800);
    lab.clock.advance(100);
    expect(lab.predictor.lateInMs(fresh)).toBeCloseTo(expectedMs - 100);
  });

  test('a late first event of a whole answer is overdue only far beyond its tail', () => {
    const overdue = (stream: boolean): number => {
      const { predictor } = labOf();
      const forecast = predictor.sent(placementOf('a'), { ...demand, maxOutputTokens: 1_000, stream }, 0, 0);
      return predictor.stallInMs(forecast, 0);
    };
    const { predictor } = labOf();
    const size = predictor.size(account, selector, { ...demand, maxOutputTokens: 1_000 });
    const { prefillMs, decodeMs } = predictor.predict(placementOf('a'), size, 0, 8, 0);
    expect(overdue(false)).toBeGreaterThanOrEqual(8 * (prefillMs + decodeMs));
    expect(overdue(true)).toBeLessThan(overdue(false));
  });
});

describe('a stall', () => {
  const STALL_MS = 60_000;
  const longPrompt: Demand = { ...demand, bodyBytes: 240_000 };

  test('a stall is measured from the predicted first event', () => {
    const { predictor } = labOf();
    const placement = placementOf('a');
    const { promptTokens } = predictor.size(account, selector, longPrompt);
    const { prefillMs } = predictor.predict(placement, { promptTokens, outputTokens: 1 }, 0, 8, 0);
    expect(prefillMs).toBeGreaterThan(10_000);
    const forecast = predictor.sent(placement, longPrompt, 0, 0);
    expect(predictor.stallInMs(forecast, STALL_MS)).toBeGreaterThanOrEqual(prefillMs + STALL_MS);
  });

  test('a stall does not apply behind a request that is not overdue', () => {
    const { clock, predictor } = labOf();
    const placement = placementOf('a');
    const long = predictor.sent(placement, longPrompt, 0, 0);
    clock.advance(1_000);
    const short = predictor.sent(placement, demand, 1, 0);
    expect(predictor.stallInMs(short, 0)).toBeGreaterThanOrEqual(predictor.stallInMs(long, 0));
    predictor.ended(long, 1, null);
    predictor.ended(short, 0, null);
    expect(predictor.stallInMs(predictor.sent(placement, demand, 0, 0), 0)).toBeLessThan(predictor.stallInMs(long, 0));
  });

  test('a stall does not apply while the node streams anything else', () => {
    const { clock, predictor } = labOf();
    const placement = placementOf('a');
    const other = { ...placement, report: reportedModel({ key: 'engine/other' }) };
    const long = predictor.sent(placement, demand, 0, 0);
    clock.advance(predictor.stallInMs(long, STALL_MS));
    expect(predictor.stallInMs(long, STALL_MS)).toBe(0);
    const short = predictor.sent(other, demand, 1, 0);
    predictor.begun(short);
    expect(predictor.stallInMs(long, STALL_MS)).toBe(STALL_MS);
    clock.advance(STALL_MS / 2);
    predictor.ended(short, 1, ended());
    expect(predictor.stallInMs(long, STALL_MS)).toBe(STALL_MS);
  });
});

describe('an unresponsive node', () => {
  test('an unresponsive node is avoided while a request is overdue, without affinity bonus', () => {
    const { clock, predictor } = labOf();
    const placement = placementOf('a');
    predictor.sent(placement, demand, 0, 0);
    expect(predictor.isAvoided(placement)).toBe(false);
    clock.advance(3_600_000);
    expect(predictor.isAvoided(placement)).toBe(true);
    expect(predictor.predict(placement, { promptTokens: 100, outputTokens: 1 }, 1, 8, 100).affinityMs).toBe(0);
  });

  test('gets one probe after a back-off that doubles, until it answers', () => {
    const { clock, predictor, serve } = labOf();
    const placement = placementOf('a');
    const fail = ended({ completed: false, faultSubject: 'model', firstEventMs: null });
    serve(placement, fail);
    expect(predictor.isAvoided(placement)).toBe(true);
    clock.advance(60_000);
    expect(predictor.isAvoided(placement)).toBe(false);
    const probe = predictor.sent(placement, demand, 0, 0);
    expect(predictor.isAvoided(placement)).toBe(true);
    predictor.ended(probe, 0, fail);
    clock.advance(60_000);
    expect(predictor.isAvoided(placement)).toBe(true);
    clock.advance(60_000);
    serve(placement);
    expect(predictor.isAvoided(placement)).toBe(false);
  });

  test('an unresponsive node is not avoided while it answers others', () => {
    const { clock, predictor } = labOf();
    const placement = placementOf('a');
    const long = predictor.sent(placement, demand, 0, 0);
    const patienceMs = predictor.stallInMs(long, 0);
    for (let time = 0; time < 20; time += 1) {
      clock.advance(patienceMs / 2);
      const short = predictor.sent(placement, demand, 1, 0);
      predictor.begun(short);
      predictor.ended(short, 1, ended());
      expect(predictor.isAvoided(placement)).toBe(false);
    }
    clock.advance(patienceMs);
    expect(predictor.isAvoided(placement)).toBe(true);
  });

  test('an unresponsive node is avoided for the failing model, or for all when the node fails', () => {
    const { predictor, serve } = labOf();
    const placement = placementOf('a');
    const other = { ...placement, report: reportedModel({ key: 'engine/other' }) };
    predictor.ended(predictor.sent(other, demand, 0, 0), 0, null);
    serve(placement, ended({ completed: false, faultSubject: 'model', firstEventMs: null }));
    expect([predictor.isAvoided(placement), predictor.isAvoided(other)]).toEqual([true, false]);
    serve(placement);
    serve(placement, ended({ completed: false, faultSubject: 'node', firstEventMs: null }));
    expect([predictor.isAvoided(placement), predictor.isAvoided(other)]).toEqual([true, true]);
  });

  test('an unresponsive node is restored by a new link', () => {
    const { predictor, serve } = labOf();
    const placement = placementOf('a');
    serve(placement, ended({ completed: false, faultSubject: 'node', firstEventMs: null }));
    serve(placement, ended({ completed: false, faultSubject: 'model', firstEventMs: null }));
    expect(predictor.isAvoided(placement)).toBe(true);
    predictor.recovered(placement.node.nodeId);
    expect(predictor.isAvoided(placement)).toBe(false);
    predictor.sent(placement, demand, 0, 0);
    expect(predictor.isAvoided(placement)).toBe(true);
  });

  test('an early disconnect does not count against the node', () => {
    const { predictor, serve } = labOf();
    const placement = placementOf('a');
    serve(placement, ended({ completed: false, firstEventMs: null }), 100);
    expect(predictor.isAvoided(placement)).toBe(false);
  });
});

test('priors: larger models are slower, and GPU engines faster', () => {
  const [small, large] = [ratePriors(2e9, 'ollama'), ratePriors(40e9, 'ollama')];
  expect(large.decode.msPerToken).toBeGreaterThan(small.decode.msPerToken * 10);
  expect(ratePriors(40e9, 'vllm').decode.msPerToken).toBeLessThan(large.decode.msPerToken);
  expect(ratePriors(null, null).prefill.msPerToken).toBeGreaterThan(0);
});
