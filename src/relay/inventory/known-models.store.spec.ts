import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openStoreDatabase, type StoreDatabase } from '../../../test/support/db/store-database.js';
import { createClusterId, createNodeId, type AccountId, type ModelSelector, type NodeId } from '../../kernel/ids.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { ClusterEntity } from '../clusters/cluster.entity.js';
import { NodeEntity } from '../nodes/node.entity.js';
import type { SeenModel } from './account-catalogue.js';
import { KnownModelsStore } from './known-models.store.js';
import { ModelEntity } from './model.entity.js';
import { NodeModelEntity } from './node-model.entity.js';

const account = 'acc_a' as AccountId;
const otherAccount = 'acc_b' as AccountId;
const LIMIT = 100;

let database: StoreDatabase;
let store: KnownModelsStore;
let nodeId: NodeId;

beforeAll(async () => {
  database = await openStoreDatabase([AccountEntity, ClusterEntity, NodeEntity, ModelEntity, NodeModelEntity]);
  store = new KnownModelsStore(database.repository(ModelEntity));
}, 30_000);

beforeEach(async () => {
  await database.dataSource.query('TRUNCATE account CASCADE');
  await database.repository(AccountEntity).insert([
    { id: account, name: 'a' },
    { id: otherAccount, name: 'b' },
  ]);
  nodeId = await newNode(account);
});

afterAll(async () => {
  await database.close();
});

async function newNode(accountId: AccountId): Promise<NodeId> {
  const [id, clusterId] = [createNodeId(), createClusterId()];
  await database.repository(ClusterEntity).insert({ accountId, id: clusterId, name: clusterId });
  const facts = { name: 'n', publicKey: Buffer.alloc(32), platform: 'linux', agentVersion: '0' };
  await database.repository(NodeEntity).insert({ accountId, id, clusterId, state: 'active', ...facts });
  return id;
}

const model = (digit: string, displayName = digit, firstSeenMs = 1_700_000_000_123): SeenModel => ({
  selector: `mdl_${digit.repeat(16)}` as ModelSelector,
  displayName,
  canonicalName: `canonical-${digit}`,
  firstSeenMs,
});
const namesIn = async (accountId = account): Promise<string[]> =>
  (await store.load(accountId)).models.map(({ displayName }) => displayName).sort();

describe('KnownModelsStore', () => {
  it("stores a node's models, with their first date", async () => {
    await store.save(account, new Map([[nodeId, [model('1', 'Tiny')]]]), LIMIT);
    expect(await store.load(account)).toEqual({
      firstSeenMs: new Map([[model('1').selector, 1_700_000_000_123]]),
      models: [{ nodeId, selector: model('1').selector, displayName: 'Tiny', canonicalName: 'canonical-1' }],
    });
  });

  it('takes over new names, new models and removals', async () => {
    await store.save(account, new Map([[nodeId, [model('1', 'old'), model('2')]]]), LIMIT);
    await store.save(account, new Map([[nodeId, [model('1', 'new'), model('3')]]]), LIMIT);
    expect(await namesIn()).toEqual(['3', 'new']);
    await store.save(account, new Map([[nodeId, []]]), LIMIT);
    expect(await namesIn()).toEqual([]);
  });

  it('keeps the first date, also of a model that no node has now', async () => {
    await store.save(account, new Map([[nodeId, [model('1')]]]), LIMIT);
    await store.save(account, new Map([[nodeId, []]]), LIMIT);
    await store.save(account, new Map([[nodeId, [model('1', 'x', 1_800_000_000_000)]]]), LIMIT);
    expect((await store.load(account)).firstSeenMs.get(model('1').selector)).toBe(1_700_000_000_123);
  });

  it('deletes the oldest unused models beyond the limit', async () => {
    await store.save(
      account,
      new Map([[nodeId, [model('1', 'a', 1_000), model('2', 'b', 2_000), model('3', 'c', 3_000)]]]),
      LIMIT,
    );
    await store.save(account, new Map([[nodeId, [model('1', 'a', 1_000), model('4', 'd', 4_000)]]]), 3);
    expect([...(await store.load(account)).firstSeenMs.values()].sort()).toEqual([1_000, 3_000, 4_000]);
  });

  it('writes several nodes at once, and skips a deleted one', async () => {
    const other = await newNode(account);
    const known = new Map([
      [nodeId, [model('1', 'a'), model('2', 'b')]],
      [createNodeId(), [model('3', 'of nobody')]],
      [other, [model('1', 'c')]],
    ]);
    await store.save(account, known, LIMIT);
    expect(await namesIn()).toEqual(['a', 'b', 'c']);
    await store.save(account, known.set(nodeId, [model('2', 'b')]).set(other, []), LIMIT);
    expect(await namesIn()).toEqual(['b']);
  });

  it('KnownModelsStore does not mix nodes or accounts', async () => {
    const [other, foreign] = [await newNode(account), await newNode(otherAccount)];
    await store.save(account, new Map([[nodeId, [model('1', 'a')]]]), LIMIT);
    await store.save(account, new Map([[other, [model('1', 'b')]]]), LIMIT);
    await store.save(otherAccount, new Map([[foreign, [model('1', 'c')]]]), LIMIT);
    await store.save(account, new Map([[other, []]]), LIMIT);
    expect([await namesIn(account), await namesIn(otherAccount)]).toEqual([['a'], ['c']]);
  });

  it('ignores models of a revoked node', async () => {
    await store.save(account, new Map([[nodeId, [model('1')]]]), LIMIT);
    await database.repository(NodeEntity).update({ accountId: account, id: nodeId }, { state: 'revoked' });
    expect(await namesIn()).toEqual([]);
  });

  it('KnownModelsStore is deleted with its account', async () => {
    await store.save(account, new Map([[nodeId, [model('1')]]]), LIMIT);
    await database.repository(AccountEntity).delete({ id: account });
    expect((await store.load(account)).firstSeenMs.size).toBe(0);
  });
});
