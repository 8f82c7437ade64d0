import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openStoreDatabase, type StoreDatabase } from '../../../../test/support/db/store-database.js';
import { createClusterId, createNodeId, type AccountId, type NodeId } from '../../../kernel/ids.js';
import { AccountEntity } from '../../accounts/account.entity.js';
import { ClusterEntity } from '../../clusters/cluster.entity.js';
import { NodeEntity } from '../../nodes/node.entity.js';
import type { ModelRates } from '../prediction/model-stats.js';
import { LearnedRateEntity } from './learned-rate.entity.js';
import { LearnedRatesStore } from './learned-rates.store.js';

const HOUR_MS = 3_600_000;
const accountId = 'acc_a' as AccountId;

let database: StoreDatabase;
let store: LearnedRatesStore;
let nodeId: NodeId;

beforeAll(async () => {
  database = await openStoreDatabase([AccountEntity, ClusterEntity, NodeEntity, LearnedRateEntity]);
  store = new LearnedRatesStore(database.repository(LearnedRateEntity));
  await database.repository(AccountEntity).insert({ id: accountId, name: 'a' });
}, 120_000);

afterAll(async () => {
  await database.close();
});

beforeEach(async () => {
  await database.repository(LearnedRateEntity).deleteAll();
  const clusterId = createClusterId();
  nodeId = createNodeId();
  await database.repository(ClusterEntity).insert({ accountId, id: clusterId, name: clusterId });
  const facts = { name: 'desk', publicKey: Buffer.alloc(32), platform: 'linux-x64', agentVersion: '0.1.0' };
  await database.repository(NodeEntity).insert({ accountId, id: nodeId, clusterId, state: 'active', ...facts });
});

const ratesOf = (msPerToken: number): ModelRates => ({
  prefill: null,
  decode: { msPerToken, contention: 0.3, observations: 10 },
  warmth: 0.8,
});
const learned = (msPerToken: number, ageMs: number) => ({
  nodeId,
  modelKey: 'tiny',
  rates: ratesOf(msPerToken),
  ageMs,
});

describe('learned rates', () => {
  it('learned rates are read with their age', async () => {
    await store.save([learned(20, 60_000)]);
    const [row] = await store.newest(HOUR_MS, 10);
    expect(row).toMatchObject({ nodeId, modelKey: 'tiny', rates: ratesOf(20) });
    expect(row?.ageMs).toBeGreaterThanOrEqual(60_000);
    expect(row?.ageMs).toBeLessThan(70_000);
  });

  it('learned rates are those of the newest observation, whichever relay stores it last', async () => {
    await store.save([learned(20, 1_000)]);
    await store.save([learned(99, 60_000)]);
    expect(await store.newest(HOUR_MS, 10)).toMatchObject([{ rates: ratesOf(20) }]);
    await store.save([learned(30, 0)]);
    expect(await store.newest(HOUR_MS, 10)).toMatchObject([{ rates: ratesOf(30) }]);
  });

  it('learned rates of output are those of one node of the account', async () => {
    await store.save([learned(20, 0), { ...learned(30, 0), modelKey: 'other' }]);
    expect(await store.decodeTimes(accountId, nodeId)).toEqual(
      new Map([
        ['tiny', 20],
        ['other', 30],
      ]),
    );
    expect(await store.decodeTimes('acc_b' as AccountId, nodeId)).toEqual(new Map());
  });

  it('learned rates leave out nodes that were deleted, end with their node, and are pruned', async () => {
    await store.save([learned(20, 0), { ...learned(20, 0), nodeId: createNodeId() }]);
    expect(await store.newest(HOUR_MS, 10)).toHaveLength(1);
    await database.repository(NodeEntity).delete({ accountId, id: nodeId });
    expect(await store.newest(HOUR_MS, 10)).toEqual([]);
  });

  it('learned rates are pruned by age, and bounded when read', async () => {
    await store.save([learned(20, 2 * HOUR_MS), { ...learned(20, 0), modelKey: 'other' }]);
    expect(await store.newest(10 * HOUR_MS, 1)).toMatchObject([{ modelKey: 'other' }]);
    await store.prune(HOUR_MS);
    expect(await store.newest(10 * HOUR_MS, 10)).toHaveLength(1);
  });
});
