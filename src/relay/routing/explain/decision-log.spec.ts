import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { account, FakeNode, reportedModel } from '../../../../test/support/relay/routing-fleet.js';
import { chatRequirements } from '../../../dialects/chat/requirements.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { createRequestId, type AccountId, type ApiKeyId, type RequestId } from '../../../kernel/ids.js';
import { createContext } from '../../platform/http/request-context.js';
import { nextToken } from '../admission/request-token.js';
import type { ObservedRequest } from '../request/routed-request.js';
import { endedBecause } from '../request/outcome.js';
import type { Considered, Decision } from '../selection/decision.js';
import { DecisionLog } from './decision-log.js';

const considered = (name: string, reason: Considered['reason'] = 'eligible'): Considered => ({
  placement: { node: new FakeNode(name), report: reportedModel() },
  reason,
  busy: 0,
  slots: 1,
  advertised: 1,
  cost: reason === 'eligible' ? 1_234.5 : Infinity,
  parts: reason === 'eligible' ? { queueMs: 0, prefillMs: 900, decodeMs: 400.4, linkMs: 20, affinityMs: -86 } : null,
});
const [a, b] = [considered('a'), considered('b', 'full')];
const decision: Decision = { candidates: [a, b], placements: 2, chosen: a };

const requestOf = (id: RequestId = createRequestId(), accountId = account): ObservedRequest => ({
  token: nextToken(),
  routed: {
    context: createContext(id, { ms: 0, bytes: 0 }),
    accountId,
    keyPublicId: 'key_x' as ApiKeyId,
    query: { pin: null, scope: null, model: 'tiny', dialect: 'chat', requirements: chatRequirements({}) },
    stream: true,
    headers: {},
  },
  timeline: { queuedMs: 40 },
});
const idOf = ({ routed }: ObservedRequest): RequestId => routed.context.requestId;

const labOf = (limits = { explainedRequests: 10, explainedBytes: 1_000_000 }) => {
  const clock = new ManualClock(1_750_000_000_000);
  return { clock, log: new DecisionLog(clock, limits, () => ({ candidates: [b], placements: 1, chosen: null })) };
};

describe('the decision log', () => {
  test('keeps every decision, attempt and end', () => {
    const { log } = labOf();
    const request = requestOf();
    log.decided(request, decision);
    log.sent(request, a.placement);
    log.left(request, 'refused', 'busy');
    log.sent(request, b.placement);
    log.ended(request, endedBecause('failed', new FerryError('engine_error')));
    const trace = log.find(account, idOf(request));
    expect(trace?.decisions[0]?.candidates.read()).toMatchObject([{ reason: 'eligible' }, { reason: 'full' }]);
    expect(trace).toMatchObject({
      outcome: 'failed',
      queuedMs: 40,
      decisions: [{ chosen: 'nd_a', reason: 'cheapest' }],
      attempts: [
        { nodeName: 'a', result: 'refused', reason: 'busy' },
        { nodeName: 'b', result: 'failed', reason: 'engine_error' },
      ],
    });
  });

  test('explains per placement why no node may serve a request', () => {
    const { log } = labOf();
    const request = requestOf();
    const error = new FerryError('no_node_for_user', undefined, { reason: 'nodes_unavailable' });
    log.undecided(request, error);
    log.ended(request, endedBecause('rejected', error));
    const trace = log.find(account, idOf(request));
    expect(trace).toMatchObject({ outcome: 'rejected', decisions: [{ reason: 'nodes_unavailable' }] });
    expect(trace?.decisions[0]?.candidates.read()).toMatchObject([{ nodeId: 'nd_b' }]);
  });

  test('hides requests of another account', () => {
    const { log } = labOf();
    const request = requestOf(undefined, 'acc_other' as AccountId);
    log.decided(request, decision);
    expect(log.find(account, idOf(request))).toBeUndefined();
    expect(log.newest(account, 10)).toEqual([]);
  });

  test('lists the newest first', () => {
    const { log } = labOf();
    const requests = [requestOf(), requestOf(), requestOf()];
    for (const request of requests) log.decided(request, decision);
    expect(log.newest(account, 2).map(({ id }) => id)).toEqual(requests.slice(1).map(idOf).reverse());
  });

  test('the decision log is bounded in requests and in bytes, and counts exactly', () => {
    const { log } = labOf({ explainedRequests: 3, explainedBytes: 1_000_000 });
    const requests = Array.from({ length: 5 }, () => requestOf());
    for (const request of requests) log.decided(request, decision);
    expect(log.size).toBeLessThanOrEqual(3);
    expect(log.find(account, idOf(requests[4] ?? requestOf()))).toBeDefined();
    const small = labOf({ explainedRequests: 1_000, explainedBytes: 5_000 }).log;
    for (let turn = 0; turn < 50; turn += 1) small.decided(requestOf(), decision);
    expect(small.usedBytes).toBeLessThanOrEqual(5_000);
    expect(small.usedBytes).toBe(small.newest(account, 100).reduce((sum, { bytes }) => sum + bytes, 0));
  });

  test('keeps nothing at size zero', () => {
    const { log } = labOf({ explainedRequests: 0, explainedBytes: 0 });
    const request = requestOf();
    log.decided(request, decision);
    log.sent(request, a.placement);
    log.ended(request, endedBecause('failed', new FerryError('engine_error')));
    expect([log.size, log.usedBytes]).toEqual([0, 0]);
  });
});
