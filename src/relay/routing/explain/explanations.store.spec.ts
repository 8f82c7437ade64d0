import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openStoreDatabase, type StoreDatabase } from '../../../../test/support/db/store-database.js';
import type { AccountId } from '../../../kernel/ids.js';
import { AccountEntity } from '../../accounts/account.entity.js';
import { ExplanationsStore } from './explanations.store.js';
import { RequestExplanationEntity } from './request-explanation.entity.js';
import type { ExplainedRequestRecord } from './request-record.js';

const [mine, theirs] = ['acc_a', 'acc_b'] as [AccountId, AccountId];
const DAY_MS = 86_400_000;

let database: StoreDatabase;
let store: ExplanationsStore;

beforeAll(async () => {
  database = await openStoreDatabase([AccountEntity, RequestExplanationEntity]);
  store = new ExplanationsStore(database.repository(RequestExplanationEntity));
  await database.repository(AccountEntity).insert([mine, theirs].map((id) => ({ id, name: id })));
}, 120_000);

afterAll(async () => {
  await database.close();
});

beforeEach(async () => {
  await database.repository(RequestExplanationEntity).deleteAll();
});

const recordOf = (id: string) => ({ id, object: 'request', model: 'tiny', missing: null }) as ExplainedRequestRecord;
const ended = (id: string, accountId = mine, daysAgo = 0) => ({
  accountId,
  endedAtMs: Date.now() - daysAgo * DAY_MS,
  record: recordOf(id),
});
const ids = async (): Promise<string[]> =>
  (await database.repository(RequestExplanationEntity).find({ order: { id: 'ASC' } })).map(({ id }) => id);

describe('stored explanations', () => {
  it('stored explanations are found by their account only, as they were', async () => {
    await store.save([ended('req_1')]);
    expect(await store.find(mine, 'req_1')).toEqual(recordOf('req_1'));
    expect(await store.find(theirs, 'req_1')).toBeUndefined();
    expect(await store.find(mine, 'req_2')).toBeUndefined();
  });

  it('stored explanations may be written twice, and leave out accounts that are gone', async () => {
    await store.save([ended('req_1'), ended('req_2', 'acc_gone' as AccountId)]);
    await store.save([ended('req_1'), ended('req_3')]);
    expect(await ids()).toEqual(['req_1', 'req_3']);
  });

  it('stored explanations are pruned to the newest of each account, and by age', async () => {
    await store.save([
      ...['req_1', 'req_2', 'req_3'].map((id, index) => ended(id, mine, 3 - index)),
      ended('req_4', theirs, 40),
      ended('req_5', theirs, 1),
    ]);
    expect(await store.prune(2, 30, 100)).toBe(2);
    expect(await ids()).toEqual(['req_2', 'req_3', 'req_5']);
    expect(await store.prune(1, 30, 100)).toBe(1);
  });
});
