import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openStoreDatabase, type StoreDatabase } from '../../../../test/support/db/store-database.js';
import { createClusterId, createNodeId, type AccountId, type NodeId } from '../../../kernel/ids.js';
import type { StatusMessage } from '../../../link/messages.js';
import { AccountEntity } from '../../accounts/account.entity.js';
import { ClusterEntity } from '../../clusters/cluster.entity.js';
import { NodeEntity } from '../node.entity.js';
import { NodeMinute } from './node-minute.js';
import { NodeSampleEntity } from './node-sample.entity.js';
import { NodeSamplesStore, type NodeSample } from './node-samples.store.js';

const accountId = 'acc_a' as AccountId;
const MINUTE_MS = 60_000;

let database: StoreDatabase;
let store: NodeSamplesStore;
let nodeId: NodeId;

beforeAll(async () => {
  database = await openStoreDatabase([AccountEntity, ClusterEntity, NodeEntity, NodeSampleEntity]);
  store = new NodeSamplesStore(database.repository(NodeSampleEntity));
  await database.repository(AccountEntity).insert({ id: accountId, name: 'a' });
}, 120_000);

afterAll(async () => {
  await database.close();
});

beforeEach(async () => {
  const clusterId = createClusterId();
  nodeId = createNodeId();
  await database.repository(ClusterEntity).insert({ accountId, id: clusterId, name: clusterId });
  const facts = { name: 'desk', publicKey: Buffer.alloc(32), platform: 'linux-x64', agentVersion: '0.1.0' };
  await database.repository(NodeEntity).insert({ accountId, id: nodeId, clusterId, state: 'active', ...facts });
});

const sample = (values: Partial<NodeSample> = {}): NodeSample => ({
  accountId,
  nodeId,
  slotsUsed: 1.5,
  slotsTotal: 4,
  memoryUsed: 2 ** 40,
  memoryTotal: 2 ** 41,
  gpuUsed: null,
  gpuTotal: null,
  ...values,
});
const lastHour = () => ({ start: new Date(Date.now() - 59 * MINUTE_MS), bucketSeconds: 3_600, buckets: 2 });

describe('samples of nodes', () => {
  it('samples of nodes are one a minute, the first that was stored', async () => {
    await store.save([sample()]);
    await store.save([sample({ slotsUsed: 4 }), sample({ nodeId: createNodeId() })]);
    const [bucket, ...others] = await store.buckets(accountId, nodeId, lastHour());
    expect(bucket).toEqual({
      bucket: 0,
      slotsUsed: 1.5,
      slotsTotal: 4,
      memoryUsed: 2 ** 40,
      memoryTotal: 2 ** 41,
      gpuUsed: null,
      gpuTotal: null,
    });
    expect(others).toEqual([]);
    expect(await store.buckets('acc_b' as AccountId, nodeId, lastHour())).toEqual([]);
  });

  it('samples of nodes are averaged in a bucket, and pruned by age', async () => {
    await store.save([sample()]);
    const at = new Date(Date.now() - 5 * MINUTE_MS);
    const row = { accountId, nodeId, at, slotsUsed: 0.5, slotsTotal: 2 };
    await database.repository(NodeSampleEntity).insert(row);
    expect(await store.buckets(accountId, nodeId, lastHour())).toMatchObject([{ slotsUsed: 1, slotsTotal: 4 }]);
    await database.dataSource.query(`UPDATE node_sample SET at = now() - interval '9 days' WHERE slots_used = 0.5`);
    expect(await store.prune(8, 100)).toBe(1);
  });
});

describe('a minute of a node', () => {
  const status = (values: Partial<StatusMessage>): StatusMessage => ({
    engines: [],
    paused: false,
    draining: false,
    memory_free_bytes: null,
    ...values,
  });
  const engine = (used: number, total: number) => ({ name: 'e', slots_total: total, slots_used: used, queue_depth: 0 });

  it('a minute of a node is the mean of its reports, bounded by what there is in total', () => {
    const minute = new NodeMinute();
    const gpu = { name: 'gpu', total_bytes: 100, free_bytes: 40, unified: false };
    minute.add(status({ engines: [engine(1, 4), engine(9, 2)], memory_total_bytes: 64, memory_free_bytes: 24 }));
    minute.add(status({ engines: [engine(0, 4)], memory_total_bytes: 64, memory_free_bytes: 104, gpus: [gpu] }));
    expect(minute.mean()).toEqual({
      slotsUsed: 1.5,
      slotsTotal: 4,
      memoryUsed: 20,
      memoryTotal: 64,
      gpuUsed: 60,
      gpuTotal: 100,
    });
  });

  it('a minute of a node has no memory where none is reported', () => {
    const minute = new NodeMinute();
    minute.add(status({ engines: [engine(1, 1)] }));
    expect(minute.mean()).toMatchObject({ slotsUsed: 1, memoryUsed: null, memoryTotal: null, gpuUsed: null });
  });
});
