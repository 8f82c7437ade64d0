import { describe, expect, it } from '@jest/globals';
import {
  actualPhases,
  asMeasured,
  phasesOf,
  predictedPhases,
  rankedCandidates,
  refusalTime,
  sentenceOf,
  type ExplainedRequest,
} from './explain-request';
import type { LoggedRequest } from '../../components/logged-request';

type Candidate = ExplainedRequest['decisions'][number]['candidates'][number];

const candidate = (name: string, cost: number | null, reason = 'eligible'): Candidate => ({
  node_id: `nd_${name}`,
  node_name: name,
  cluster_id: 'cl_home',
  eligible: cost !== null,
  reason,
  slots: null,
  cost_ms: cost,
  parts: cost === null ? null : { queue_ms: 0, prefill_ms: 200, decode_ms: cost - 210, link_ms: 10, affinity_ms: 0 },
});

const attempt = (name: string, result = 'completed'): ExplainedRequest['attempts'][number] => ({
  node_id: `nd_${name}`,
  node_name: name,
  result,
  reason: null,
  hedge: false,
  at: '2026-01-01T00:00:00.000Z',
});

const request = (
  candidates: Candidate[],
  chosen: string | null,
  reason = 'cheapest',
  attempts = chosen === null ? [] : [attempt(chosen)],
): ExplainedRequest => ({
  id: 'req_1',
  object: 'request',
  model: 'tiny',
  dialect: 'chat',
  decided_at: '2026-01-01T00:00:00.000Z',
  outcome: 'completed',
  queue: { waited_ms: 0, position: null },
  attempts,
  retried: false,
  hedged: false,
  decisions: [
    {
      at: '2026-01-01T00:00:00.000Z',
      candidates,
      considered: candidates.length,
      placements: candidates.length,
      chosen: chosen && `nd_${chosen}`,
      reason,
    },
  ],
  missing: null,
});

describe('the sentence about a request', () => {
  it('compares the winner with the next best', () => {
    const candidates = [candidate('laptop', 31_000), candidate('studio', 9_800), candidate('vm', null, 'not_loaded')];
    expect(sentenceOf(request(candidates, 'studio'))).toBe(
      'Routed to studio: it was predicted to finish in 9.8 s, laptop in 31.0 s.',
    );
  });

  it('states what is missing of a request whose relay is gone', () => {
    expect(sentenceOf({ ...request([], null), decisions: [], missing: 'It is unknown.' })).toBe('It is unknown.');
  });

  it('states when there was only one candidate', () => {
    expect(sentenceOf(request([candidate('studio', 900)], 'studio'))).toContain('the only computer with this model');
    expect(sentenceOf(request([candidate('studio', 900), candidate('vm', null, 'paused')], 'studio'))).toContain(
      'no other computer could serve it',
    );
  });

  it('names the node tried after a failure, or the reason why there was none', () => {
    const both = [candidate('studio', 900), candidate('vm', 1_000)];
    const attempts = [attempt('studio', 'lost'), attempt('vm')];
    expect(sentenceOf(request(both, 'studio', 'cheapest', attempts))).toContain('so vm was asked');
    expect(sentenceOf(request([candidate('vm', null, 'full')], null, 'all_full'))).toContain('was busy');
    expect(sentenceOf(request([], null, 'something_new'))).toContain('something new');
  });
});

describe('the picture of a request', () => {
  it('the picture of a request has the chosen one first, and those that could not serve it last', () => {
    const candidates = [candidate('vm', null, 'paused'), candidate('laptop', 100), candidate('studio', 900)];
    expect(rankedCandidates(candidates, 'nd_studio').map(({ node_name }) => node_name)).toEqual([
      'studio',
      'laptop',
      'vm',
    ]);
  });

  it('divides predicted and actual time into the same phases', () => {
    expect(predictedPhases(request([candidate('studio', 900)], 'studio'))).toEqual({
      queue: 0,
      prefill: 210,
      decode: 690,
      whole: null,
      total: 900,
    });
    const row = { queue_ms: 50, ttft_ms: 250, duration_ms: 1_250, node_id: 'nd_studio' } as LoggedRequest;
    expect(actualPhases(row)).toEqual({ queue: 50, prefill: 200, decode: 1_000, whole: null, total: 1_250 });
  });

  it('the predicted time of a request is that in the list of candidates, without what is in a cache', () => {
    const one = candidate('studio', 3_400);
    const parts = { queue_ms: 0, prefill_ms: 300, decode_ms: 3_201, link_ms: 10, affinity_ms: -110 };
    expect(predictedPhases(request([{ ...one, parts }], 'studio'))).toMatchObject({ prefill: 199, total: 3_400 });
  });

  it('the predicted time of a request has the phases that were measured', () => {
    const predicted = { queue: 5, prefill: 20, decode: 40, whole: null, total: 65 };
    const measured = { queue: 0, prefill: null, decode: null, whole: 127, total: 127 };
    expect(asMeasured(predicted, measured)).toEqual({ ...predicted, prefill: null, decode: null, whole: 60 });
    expect(phasesOf(asMeasured(predicted, measured), measured)).toEqual(['queue', 'whole']);
    const streamed = { queue: 0, prefill: 100, decode: 27, whole: null, total: 127 };
    expect(asMeasured(predicted, streamed)).toBe(predicted);
    expect(asMeasured(predicted, null)).toBe(predicted);
  });

  it('the picture of a request leaves out phases that took no time', () => {
    const phases = { queue: 0, prefill: null, decode: null, whole: null, total: 15 };
    expect(phasesOf({ ...phases, prefill: 200, decode: 0.2 }, { ...phases, whole: 15 })).toEqual(['prefill', 'whole']);
    expect(phasesOf(null, { ...phases, queue: 3 })).toEqual(['queue']);
  });

  it('the picture of a request has the duration of the list, also without a first token', () => {
    const row = { queue_ms: 50, ttft_ms: null, duration_ms: 1_250, node_id: 'nd_studio' } as LoggedRequest;
    const unmeasured = { queue: 50, prefill: null, decode: null };
    expect(actualPhases(row)).toEqual({ ...unmeasured, whole: 1_200, total: 1_250 });
    expect(actualPhases({ ...row, node_id: null })).toEqual({ ...unmeasured, whole: null, total: 1_250 });
  });

  it('the picture of a request that reached no computer is one sentence', () => {
    const row = { queue_ms: 0, duration_ms: 1 } as LoggedRequest;
    expect(refusalTime(row)).toBe('It ended after 1 ms without reaching a computer.');
    expect(refusalTime({ ...row, queue_ms: 12_000, duration_ms: 12_100 })).toBe(
      'It ended after 12.1 s without reaching a computer, of which it waited 12.0 s for one.',
    );
  });
});
