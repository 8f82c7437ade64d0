import { beforeEach, describe, expect, test } from '@jest/globals';
import { createRequestId, type AccountId, type RequestId } from '../../../kernel/ids.js';
import type { Principal } from '../../platform/access/request-principal.js';
import type { RequestTrace } from './request-trace.js';
import type { RoutingService } from '../routing.service.js';
import type { DecisionLog } from './decision-log.js';
import type { KeysService } from '../../keys/keys.service.js';
import type { NewAuditEvent } from '../../accounts/audit/audit-event.js';
import type { StoppedRequestsStore } from './stopped-requests.store.js';
import type { ReplicaRequests } from './replica-requests.js';
import { RequestsController } from './requests.controller.js';

const id = createRequestId();
const trace: RequestTrace = {
  id,
  accountId: 'acc_a' as AccountId,
  model: 'tiny',
  dialect: 'chat',
  decidedAtWallMs: 0,
  decidedAtMs: 0,
  decisions: [],
  attempts: [],
  outcome: null,
  queuedMs: 0,
  position: null,
  bytes: 0,
};
let state: RequestTrace[] = [trace];
const decisions = {
  find: (accountId: AccountId, requestId: RequestId) =>
    accountId === trace.accountId && requestId === id ? trace : undefined,
  newest: () => state,
};
let live: { routed: { context: { requestId: string } } }[] = [];
const running = (accountId: AccountId) => (accountId === trace.accountId ? live : []);
const findRunning = (accountId: AccountId, id: string) =>
  running(accountId).find(({ routed }) => routed.context.requestId === id);
const stopped: unknown[] = [];
const recorded: NewAuditEvent[] = [];
const keys = [
  { id: 'key_a', name: 'codex', createdBy: 'usr_ann' },
  { id: 'key_b', name: 'web', createdBy: 'usr_bob' },
];
const keysOf = (_account: AccountId, principal: Principal | 'system') =>
  Promise.resolve(keys.filter(({ createdBy }) => principal === 'system' || createdBy === principal.userId));
const controller = new RequestsController(
  { running, findRunning, stop: (request: unknown) => stopped.push(request) } as unknown as RoutingService,
  decisions as unknown as DecisionLog,
  { list: keysOf } as unknown as KeysService,
  {
    record: async (event: NewAuditEvent, stop: () => Promise<void>) => {
      recorded.push(event);
      await stop();
    },
  } as unknown as StoppedRequestsStore,
  {
    explain: () => Promise.resolve(undefined),
    recent: () => Promise.resolve([]),
    running: () => Promise.resolve([]),
    findRunning: () => Promise.resolve(undefined),
  } as unknown as ReplicaRequests,
);
const principalOf = (accountId: string, role = 'owner', userId: string | null = null) =>
  ({ accountId, role, userId }) as Principal;

describe('GET /api/requests', () => {
  test('returns a request of the account, also a running one', async () => {
    expect(await controller.find(principalOf('acc_a'), id)).toMatchObject({ id, outcome: null, decisions: [] });
  });

  test.each([
    ['another account', 'acc_b', id],
    ['an unknown id', 'acc_a', 'req_unknown'],
    ['a name of the language', 'acc_a', '__proto__'],
  ])('answers 404 to %s', async (_, account, requestId) => {
    await expect(controller.find(principalOf(account), requestId)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('lists without decisions', async () => {
    const list = await controller.list(principalOf('acc_a'), {});
    expect(list).toMatchObject({
      object: 'list',
      data: [{ id, object: 'request' }],
      has_more: false,
      next_cursor: null,
    });
    expect(list.data[0]).not.toHaveProperty('decisions');
  });

  test('lists the newest first, in pages of fifty by default, also for simultaneous requests', async () => {
    state = Array.from({ length: 60 }, (_, index) => ({
      ...trace,
      id: createRequestId(),
      decidedAtWallMs: Math.floor(index / 3),
    }));
    const whole = (await controller.list(principalOf('acc_a'), { limit: 200 })).data.map((request) => request.id);
    expect(whole).toHaveLength(60);
    expect(whole.slice(0, 3).sort()).toEqual(
      state
        .slice(-3)
        .map((request) => request.id)
        .sort(),
    );
    const first = await controller.list(principalOf('acc_a'), {});
    expect([first.data.length, first.has_more]).toEqual([50, true]);
    const rest = await controller.list(principalOf('acc_a'), { cursor: first.next_cursor ?? '' });
    expect([...first.data, ...rest.data].map((request) => request.id)).toEqual(whole);
    state = [trace];
  });
});

const request = (waiting: boolean, firstEventMs: number | null, keyPublicId = 'key_a') => ({
  routed: {
    context: { requestId: id },
    keyPublicId,
    query: { model: 'tiny', dialect: 'chat' },
    stream: true,
  },
  timeline: { firstEventMs, totalMs: 1_000.4 },
  placement: waiting ? null : { node: { nodeId: 'nd_a', name: 'desk' } },
  waiting,
  receivedEvents: waiting ? null : 7,
});

describe('GET /api/requests/running', () => {
  test('distinguishes queued, prefill and decode, with key and node', async () => {
    live = [request(true, null), request(false, null), request(false, 190.2)];
    const { data } = await controller.running(principalOf('acc_a'));
    expect(data.map(({ state }) => state)).toEqual(['queued', 'prefill', 'decode']);
    expect(data[0]).toMatchObject({ node_id: null, output_events: null, ttft_ms: null });
    expect(data[2]).toMatchObject({
      id,
      key_name: 'codex',
      node_name: 'desk',
      output_events: 7,
      age_ms: 1_000,
      ttft_ms: 190,
    });
  });

  test('shows nothing of another account', async () => {
    expect((await controller.running(principalOf('acc_b'))).data).toEqual([]);
  });
});

describe('POST /api/requests/:id/cancel', () => {
  beforeEach(() => {
    live = [request(false, 190)];
    stopped.length = 0;
    recorded.length = 0;
  });

  test.each([
    ['an admin', principalOf('acc_a', 'admin')],
    ['the member whose key it has', principalOf('acc_a', 'member', 'usr_ann')],
  ])('stops a request for %s', async (_, principal) => {
    expect(await controller.cancel(principal, id)).toMatchObject({ id, state: 'decode', key_name: 'codex' });
    expect(stopped).toEqual(live);
    expect(recorded).toEqual([
      {
        accountId: 'acc_a',
        actor: principal,
        action: 'request.cancel',
        object: { kind: 'request', id },
        detail: { model: 'tiny', key: 'codex', key_id: 'key_a', node: 'desk' },
      },
    ]);
  });

  test('lets a member stop their own website chat', async () => {
    live = [request(false, 190, 'usr_bob')];
    await controller.cancel(principalOf('acc_a', 'member', 'usr_bob'), id);
    expect(stopped).toEqual(live);
  });

  test.each([
    ['another member', principalOf('acc_a', 'member', 'usr_bob'), id, 'insufficient_role'],
    ['another account', principalOf('acc_b'), id, 'not_found'],
    ['an id of no running request', principalOf('acc_a'), 'req_unknown', 'not_found'],
  ])('refuses %s', async (_, principal, requestId, code) => {
    await expect(controller.cancel(principal, requestId)).rejects.toMatchObject({ code });
    expect([stopped, recorded]).toEqual([[], []]);
  });
});
