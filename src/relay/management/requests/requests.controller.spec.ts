import { describe, expect, test } from '@jest/globals';
import { createRequestId, type AccountId, type RequestId } from '../../../kernel/ids.js';
import type { Manager } from '../../auth/identities.js';
import type { RequestTrace } from '../../routing/explain/request-trace.js';
import type { RoutingService } from '../../routing/routing.service.js';
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
const asked: [AccountId, number][] = [];
const explanations = {
  find: (accountId: AccountId, requestId: RequestId) =>
    accountId === trace.accountId && requestId === id ? trace : undefined,
  newest: (accountId: AccountId, limit: number) => {
    asked.push([accountId, limit]);
    return [trace];
  },
};
const controller = new RequestsController({ explanations } as unknown as RoutingService);
const managerOf = (accountId: string) => ({ accountId }) as Manager;

describe('GET /api/requests', () => {
  test('tells a request of the account, also one that is under way', () => {
    expect(controller.find(managerOf('acc_a'), id)).toMatchObject({ id, outcome: null, decisions: [] });
  });

  test.each([
    ['another account', 'acc_b', id],
    ['an unknown id', 'acc_a', 'req_unknown'],
    ['a name of the language', 'acc_a', '__proto__'],
  ])('answers 404 to %s', (_, account, requestId) => {
    expect(() => controller.find(managerOf(account), requestId)).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
  });

  test('lists without decisions, fifty unless told otherwise', () => {
    const list = controller.list(managerOf('acc_a'), {});
    expect(list).toMatchObject({ object: 'list', data: [{ id, object: 'request' }] });
    expect(list.data[0]).not.toHaveProperty('decisions');
    controller.list(managerOf('acc_a'), { limit: 7 });
    expect(asked).toEqual([
      ['acc_a', 50],
      ['acc_a', 7],
    ]);
  });
});
