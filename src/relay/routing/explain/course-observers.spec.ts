import { beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { account, FakeNode, reportedModel } from '../../../../test/support/relay/routing-fleet.js';
import { chatRequirements } from '../../../dialects/chat/requirements.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { createRequestId, type ApiKeyId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import { createContext } from '../../platform/http/request-context.js';
import type { ObservedRequest } from '../request/course-observer.js';
import { endedBecause } from '../request/outcome.js';
import { RoutingExperience } from '../selection/routing-experience.js';
import { CourseObservers } from './course-observers.js';
import { DecisionLog } from './decision-log.js';

const placement: Placement = { node: new FakeNode('a', { slots: 8 }), report: reportedModel() };
const other: Placement = { node: new FakeNode('b', { slots: 8 }), report: reportedModel() };

const requestOf = (): ObservedRequest => ({
  token: {},
  order: {
    context: createContext(createRequestId(), { ms: 0, bytes: 0 }),
    accountId: account,
    keyPublicId: 'key_x' as ApiKeyId,
    question: { pin: null, scope: null, model: 'tiny', dialect: 'chat', requirements: chatRequirements({}) },
    stream: true,
    headers: {},
  },
  timeline: { queuedMs: 0 },
});

describe('what is learned from the course of requests', () => {
  let clock: ManualClock;
  let experience: RoutingExperience;
  let course: CourseObservers;
  /** Requests at every engine, the one that leaves among them. */
  let busy: number;

  beforeEach(() => {
    busy = 3;
    clock = new ManualClock();
    experience = new RoutingExperience(clock, { affinityKeys: 10 });
    const log = new DecisionLog(clock, { explainedRequests: 10, explainedBytes: 1_000_000 }, () => ({
      candidates: [],
      chosen: null,
    }));
    course = new CourseObservers(experience, log, { busy: () => busy }, () => clock.monotonicMs());
  });

  const asked = (): ObservedRequest => {
    const request = requestOf();
    course.asked(request, placement);
    return request;
  };
  const limit = (): number => experience.slots.limitOf(placement);

  test('a node that is full with two of ours runs two', () => {
    course.left(asked(), 'refused', 'busy');
    expect(limit()).toBe(2);
  });

  test('an engine that refuses for lack of room runs those that it has', () => {
    const refusal = new FerryError('engine_rejected_request', undefined, { status: 429 });
    course.ended(asked(), endedBecause('failed', refusal));
    expect(limit()).toBe(2);
  });

  test('other refusals, and other failures, say nothing about slots', () => {
    course.left(asked(), 'refused', 'draining');
    course.ended(asked(), endedBecause('failed', new FerryError('engine_error')));
    expect(limit()).toBe(Infinity);
  });

  test('a node that is still stopping a run says nothing about slots', () => {
    course.ended(asked(), endedBecause('cancelled', new FerryError('engine_error'), 'cancelled'));
    course.left(asked(), 'refused', 'busy');
    expect(limit()).toBe(Infinity);
  });

  test('of two tries each is its own node’s, and what follows is about the one that is left', () => {
    const request = asked();
    const hedge: ObservedRequest = { token: {}, order: request.order, timeline: request.timeline, isHedge: true };
    clock.advance(1_000);
    course.asked(hedge, other);
    const overdueInMs = course.overdueInMs(hedge);
    expect(overdueInMs).not.toBe(course.overdueInMs(request));
    course.left(request, 'overtaken', 'other_node_first');
    course.followed(request, hedge);
    expect([course.overdueInMs(request), course.overdueInMs(hedge)]).toEqual([overdueInMs, null]);
    course.ended(request, endedBecause('cancelled', new FerryError('engine_error'), 'cancelled'));
    expect([course.overdueInMs(request), course.live]).toEqual([null, 0]);
  });
});
