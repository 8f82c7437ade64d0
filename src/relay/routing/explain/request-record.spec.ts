import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { usageRowOf } from '../../../../test/support/db/usage-rows.js';
import { account, FakeNode, reportedModel } from '../../../../test/support/relay/routing-fleet.js';
import { chatRequirements } from '../../../dialects/chat/requirements.js';
import { createRequestId, type ApiKeyId, type RequestId } from '../../../kernel/ids.js';
import { createContext } from '../../platform/http/request-context.js';
import type { LoggedRequest } from '../../usage/request-log.store.js';
import { loggedRequestRecord, requestRecord } from './request-record.js';
import { nextToken } from '../admission/request-token.js';
import type { ObservedRequest } from '../request/routed-request.js';
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

const requestOf = (id: RequestId = createRequestId()): ObservedRequest => ({
  token: nextToken(),
  routed: {
    context: createContext(id, { ms: 0, bytes: 0 }),
    accountId: account,
    keyPublicId: 'key_x' as ApiKeyId,
    query: { pin: null, scope: null, model: 'tiny', dialect: 'chat', requirements: chatRequirements({}) },
    stream: true,
    headers: {},
  },
  timeline: { queuedMs: 40 },
});
const idOf = ({ routed }: ObservedRequest): RequestId => routed.context.requestId;

const labOf = () => {
  const clock = new ManualClock(1_750_000_000_000);
  const limits = { explainedRequests: 10, explainedBytes: 1_000_000 };
  return { clock, log: new DecisionLog(clock, limits, () => ({ candidates: [b], placements: 1, chosen: null })) };
};

test('a routed request is shown with candidates, costs, attempts and outcome', () => {
  const { log, clock } = labOf();
  const request = requestOf();
  log.decided(request, { candidates: [considered('a', 'full'), b], placements: 2, chosen: null });
  log.queued(request, 3);
  clock.advance(40);
  log.decided(request, decision);
  log.sent(request, a.placement);
  log.left(request, 'lost', 'node_disconnected');
  log.sent(request, b.placement);
  log.ended(request, { outcome: 'completed', error: null, reset: null, usage: null });
  const trace = log.find(account, idOf(request));
  if (trace === undefined) throw new Error('not kept');
  expect(requestRecord(trace)).toMatchObject({
    id: idOf(request),
    object: 'request',
    model: 'tiny',
    dialect: 'chat',
    decided_at: new Date(1_750_000_000_000).toISOString(),
    outcome: 'completed',
    queue: { waited_ms: 40, position: 3 },
    decisions: [
      { chosen: null, reason: 'all_full' },
      {
        at: new Date(1_750_000_000_040).toISOString(),
        chosen: 'nd_a',
        reason: 'cheapest',
        candidates: [
          {
            node_id: 'nd_a',
            node_name: 'a',
            eligible: true,
            reason: 'eligible',
            cost_ms: 1_235,
            parts: { queue_ms: 0, prefill_ms: 900, decode_ms: 400, link_ms: 20, affinity_ms: -86 },
          },
          { node_id: 'nd_b', eligible: true, reason: 'full', cost_ms: null, parts: null },
        ],
      },
    ],
    attempts: [
      { node_id: 'nd_a', result: 'lost', reason: 'node_disconnected' },
      { node_id: 'nd_b', result: 'completed', reason: null },
    ],
    retried: true,
  });
});

describe('a request of the log', () => {
  const logged: LoggedRequest = {
    ...usageRowOf({ account_id: 'acc_a', node_id: 'nd_a', queue_ms: 40 }),
    started_at: new Date(1_750_000_000_000),
    key_name: null,
    node_name: 'a',
    cluster_name: null,
  };

  test('a request of the log says what is missing, and where it ran', () => {
    expect(loggedRequestRecord(logged)).toMatchObject({
      model: 'tiny',
      outcome: 'completed',
      queue: { waited_ms: 40, position: null },
      decisions: [],
      missing: expect.stringMatching(/unknown.* ran on the node a\.$/),
    });
    expect(loggedRequestRecord({ ...logged, node_name: null }).missing).not.toContain('node');
  });

  test('a request of the log that a limit refused was not routed', () => {
    const refused = {
      ...logged,
      outcome: 'rejected',
      code: 'rate_limit_exceeded',
      attempts: 0,
      node_name: null,
    } as const;
    expect(loggedRequestRecord(refused).missing).toMatch(/refused by a limit before it was routed/);
    expect(loggedRequestRecord({ ...refused, attempts: 1 }).missing).toMatch(/^The decisions and attempts are unknown/);
  });
});
