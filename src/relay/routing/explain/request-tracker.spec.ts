import { beforeEach, describe, expect, test } from '@jest/globals';
import { nextToken } from '../admission/request-token.js';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { account, FakeNode, reportedModel } from '../../../../test/support/relay/routing-fleet.js';
import { chatRequirements } from '../../../dialects/chat/requirements.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { createRequestId, type ApiKeyId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import { createContext } from '../../platform/http/request-context.js';
import type { ObservedRequest } from '../request/routed-request.js';
import { endedBecause } from '../request/outcome.js';
import { RoutingStats } from '../selection/routing-stats.js';
import { RequestTracker } from './request-tracker.js';
import { DecisionLog } from './decision-log.js';

const placement: Placement = { node: new FakeNode('a', { slots: 8 }), report: reportedModel() };
const other: Placement = { node: new FakeNode('b', { slots: 8 }), report: reportedModel() };

const requestOf = (): ObservedRequest => ({
  token: nextToken(),
  routed: {
    context: createContext(createRequestId(), { ms: 0, bytes: 0 }),
    accountId: account,
    keyPublicId: 'key_x' as ApiKeyId,
    query: { pin: null, scope: null, model: 'tiny', dialect: 'chat', requirements: chatRequirements({}) },
    stream: true,
    headers: {},
  },
  timeline: { queuedMs: 0 },
});

describe('learning from request lifecycles', () => {
  let clock: ManualClock;
  let stats: RoutingStats;
  let lifecycle: RequestTracker;
  /** Requests at every engine, the one that leaves among them. */
  let busy: number;
  let delaysMs: number[];

  beforeEach(() => {
    busy = 3;
    delaysMs = [];
    clock = new ManualClock();
    stats = new RoutingStats(clock, { affinityKeys: 10 });
    const log = new DecisionLog(clock, { explainedRequests: 10, explainedBytes: 1_000_000 }, () => ({
      candidates: [],
      placements: 0,
      chosen: null,
    }));
    lifecycle = new RequestTracker(stats, log, { busy: () => busy }, clock, {
      passed: (delayMs) => delaysMs.push(delayMs),
    });
  });

  const asked = (): ObservedRequest => {
    const request = requestOf();
    lifecycle.sent(request, { placement, cachedPromptTokens: 0 });
    return request;
  };
  const limit = (): number => stats.slots.limitOf(placement);

  test('a node that is full with two requests has two slots', () => {
    lifecycle.left(asked(), 'refused', 'busy');
    expect(limit()).toBe(2);
  });

  test('an engine that refuses as full has its running requests as slots', () => {
    const refusal = new FerryError('engine_rejected_request', undefined, { status: 429 });
    lifecycle.ended(asked(), endedBecause('failed', refusal));
    expect(limit()).toBe(2);
  });

  test('other refusals and failures do not change slots', () => {
    lifecycle.left(asked(), 'refused', 'draining');
    lifecycle.ended(asked(), endedBecause('failed', new FerryError('engine_error')));
    expect(limit()).toBe(Infinity);
  });

  test('a node that is stopping a run does not change slots', () => {
    lifecycle.ended(asked(), endedBecause('cancelled', new FerryError('engine_error'), 'cancelled'));
    lifecycle.left(asked(), 'refused', 'busy');
    expect(limit()).toBe(Infinity);
  });

  test('a completed response tells how much longer it took than its node says, and a failed one does not', () => {
    const timings = { first_event_ms: 10, total_ms: 700 };
    const [completed, failed] = [asked(), asked()];
    clock.advance(1_000);
    lifecycle.ended(completed, { outcome: 'completed', error: null, reset: null, usage: null, timings });
    lifecycle.ended(failed, { ...endedBecause('failed', new FerryError('engine_error')), timings });
    expect(delaysMs).toEqual([300]);
  });

  test('hedged attempts are attributed to their own nodes', () => {
    const request = asked();
    const hedge: ObservedRequest = {
      token: nextToken(),
      routed: request.routed,
      timeline: request.timeline,
      isHedge: true,
      listenerState: request.listenerState,
    };
    clock.advance(1_000);
    lifecycle.sent(hedge, { placement: other, cachedPromptTokens: 0 });
    const overdueInMs = lifecycle.stallInMs(hedge, 0);
    expect(overdueInMs).not.toBe(lifecycle.stallInMs(request, 0));
    lifecycle.left(request, 'overtaken', 'other_node_first');
    lifecycle.followed(request, hedge);
    expect([lifecycle.stallInMs(request, 0), lifecycle.stallInMs(hedge, 0)]).toEqual([overdueInMs, null]);
    lifecycle.ended(request, endedBecause('cancelled', new FerryError('engine_error'), 'cancelled'));
    expect([lifecycle.stallInMs(request, 0), lifecycle.live]).toEqual([null, 0]);
  });
});
