import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openStoreDatabase, type StoreDatabase } from '../../../test/support/db/store-database.js';
import {
  createClusterId,
  createNodeId,
  createOperationId,
  type AccountId,
  type NodeId,
  type OperationId,
} from '../../kernel/ids.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { ClusterEntity } from '../clusters/cluster.entity.js';
import { NodeEntity } from '../nodes/node.entity.js';
import { AuditTrail } from '../accounts/audit/audit-trail.store.js';
import { OperationEntity } from './operation.entity.js';
import { newOperation, type Operation } from './operation.js';
import { OperationsStore } from './operations.store.js';

const account = 'acc_a' as AccountId;
const otherAccount = 'acc_b' as AccountId;
const limits = { perNode: 3, perAccount: 4, kept: 2, failuresKeptDays: 7 };
const everything = { states: [], nodeId: null, since: null, dismissed: null, limit: 100, after: null };
const DAY_MS = 86_400_000;

let database: StoreDatabase;
let store: OperationsStore;
let nodes: NodeId[];
let nowMs = Date.now();

beforeAll(async () => {
  database = await openStoreDatabase([AccountEntity, ClusterEntity, NodeEntity, OperationEntity]);
  store = new OperationsStore(database.repository(OperationEntity), new AuditTrail());
  await database.repository(AccountEntity).insert([
    { id: account, name: 'a' },
    { id: otherAccount, name: 'b' },
  ]);
}, 120_000);

afterAll(async () => {
  await database.close();
});

beforeEach(async () => {
  await database.repository(OperationEntity).deleteAll();
  const clusterId = createClusterId();
  await database.repository(ClusterEntity).insert({ accountId: account, id: clusterId, name: clusterId });
  nodes = [createNodeId(), createNodeId()];
  await database.repository(NodeEntity).insert(
    nodes.map((id) => ({
      accountId: account,
      id,
      clusterId,
      name: 'desk',
      state: 'active' as const,
      publicKey: Buffer.alloc(32),
      platform: 'linux-x64',
      agentVersion: '0.1.0',
    })),
  );
});

const operation = (modelKey: string, nodeIndex = 0): Operation =>
  newOperation(
    createOperationId(),
    {
      nodeId: nodes[nodeIndex] ?? createNodeId(),
      nodeName: 'desk',
      kind: 'load',
      engine: 'engine',
      modelKey,
      model: modelKey,
      source: null,
      loadAfter: false,
      contextTokens: 4_096,
      createdBy: null,
    },
    new Date((nowMs += 1_000)),
  );

async function inserted(modelKey: string, nodeIndex = 0): Promise<Operation> {
  const made = operation(modelKey, nodeIndex);
  await store.insert(account, made, limits, 'system');
  return made;
}

const over = (made: Operation): Operation => ({ ...made, state: 'succeeded', finishedAt: new Date(nowMs) });
const idsOf = (operations: readonly Operation[]): OperationId[] => operations.map(({ id }) => id);

describe('OperationsStore', () => {
  it('round-trips an operation', async () => {
    const made = await inserted('a');
    expect(await store.find(account, made.id)).toEqual(made);
    const later: Operation = {
      ...made,
      state: 'failed',
      phase: 'downloading',
      completedBytes: 2 ** 40 + 1,
      totalBytes: 2 ** 41,
      failure: { code: 'disk_full', message: 'No room.' },
      finishedAt: new Date(nowMs),
    };
    expect(await store.save(account, later)).toEqual({ ...later, version: 2 });
    expect(await store.find(account, made.id)).toEqual({ ...later, version: 2 });
  });

  it('stores nothing over a newer version', async () => {
    const made = await inserted('a');
    await store.save(account, { ...made, completedBytes: 1 });
    expect(await store.save(account, over(made))).toBeUndefined();
    expect(await store.find(account, made.id)).toMatchObject({ state: 'queued', completedBytes: 1 });
  });

  it('requests a cancellation once, and not for finished operations', async () => {
    const made = await inserted('a');
    const versions: unknown[] = [];
    for (let requests = 0; requests < 2; requests += 1) {
      versions.push((await store.requestCancel(account, made.id, 'system'))?.version);
    }
    expect(versions).toEqual([2, 2]);
    await store.save(account, { ...over(made), version: 2 });
    expect(await store.requestCancel(account, made.id, 'system')).toMatchObject({ state: 'succeeded' });
    expect(await store.requestCancel(otherAccount, made.id, 'system')).toBeUndefined();
  });

  it('never changes an outcome', async () => {
    const made = await inserted('a');
    await store.save(account, over(made));
    expect(await store.save(account, { ...made, state: 'failed', version: 2 })).toBeUndefined();
    expect(await store.find(account, made.id)).toMatchObject({ state: 'succeeded' });
  });

  it('lets one of many requests for the same model of the same node win', async () => {
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => store.insert(account, operation('a'), { ...limits, perNode: 100 }, 'system')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: 'operation_conflict', status: 409 });
    }
    await inserted('a', 1);
    const [winner] = await store.list(account, { ...everything, nodeId: nodes[0] ?? null });
    if (winner !== undefined) await store.save(account, over(winner));
    await inserted('a');
  });

  it('limits unfinished operations, per node and per account', async () => {
    for (const key of ['a', 'b', 'c']) await inserted(key);
    await expect(inserted('d')).rejects.toMatchObject({ code: 'too_many_operations', status: 429 });
    await inserted('d', 1);
    await expect(inserted('e', 1)).rejects.toMatchObject({ code: 'too_many_operations' });
  });

  it('deletes the oldest finished operations only', async () => {
    const live = await inserted('live');
    const finished: Operation[] = [];
    for (const key of ['a', 'b', 'c']) {
      const made = await inserted(key);
      await store.save(account, over(made));
      finished.push(made);
    }
    const last = await inserted('d');
    const [, second, third] = finished;
    expect(idsOf(await store.list(account, everything))).toEqual([last.id, third?.id, second?.id, live.id]);
  });

  describe('a failure', () => {
    const failed = async (key: string, finishedAt = new Date()): Promise<Operation> => {
      const made = await inserted(key);
      const failure = { code: 'out_of_memory', message: '48 GB are needed' } as const;
      await store.save(account, { ...made, state: 'failed', failure, finishedAt });
      return made;
    };
    const open = () => store.list(account, { ...everything, states: ['failed'], dismissed: false });

    it('a failure stays for a week beside the other finished operations, bounded by the same number', async () => {
      const old = await failed('old', new Date(Date.now() - 8 * DAY_MS));
      const failures = [await failed('x'), await failed('y'), await failed('z')];
      for (const key of ['a', 'b', 'c', 'd']) await store.save(account, over(await inserted(key)));
      await inserted('e');
      expect(idsOf(await open())).toEqual([failures[2]?.id, failures[1]?.id]);
      expect(await store.find(account, old.id)).toBeUndefined();
    });

    it('a failure is dismissed once, and only by its account', async () => {
      const { id } = await failed('a');
      expect(await store.dismiss(otherAccount, id, 'system')).toBeUndefined();
      const dismissed = await store.dismiss(account, id, 'system');
      expect(dismissed).toMatchObject({ state: 'failed', dismissedAt: expect.any(Date), version: 3 });
      expect(await store.dismiss(account, id, 'system')).toEqual(dismissed);
      expect(await open()).toEqual([]);
      expect(idsOf(await store.list(account, { ...everything, dismissed: true }))).toEqual([id]);
      const running = await inserted('b');
      expect(await store.dismiss(account, running.id, 'system')).toMatchObject({ dismissedAt: null, version: 1 });
    });

    it('a failure needs no attention any more when something else is done with the model', async () => {
      const tried = await failed('a');
      const other = await failed('b');
      await inserted('a');
      expect(idsOf(await open())).toEqual([other.id]);
      expect((await store.find(account, tried.id))?.dismissedAt).toBeInstanceOf(Date);
    });

    it('a failure is listed since a moment', async () => {
      const first = await failed('a');
      const second = await failed('b');
      expect(idsOf(await store.list(account, { ...everything, since: second.createdAt }))).toEqual([second.id]);
      expect(idsOf(await store.list(account, { ...everything, since: first.createdAt }))).toHaveLength(2);
    });
  });

  it('refuses operations for revoked, unknown or foreign nodes, and ends waiting ones', async () => {
    const waiting = await inserted('a');
    await database.repository(NodeEntity).update({ accountId: account, id: waiting.nodeId }, { state: 'revoked' });
    await expect(inserted('b')).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.insert(otherAccount, operation('a', 1), limits, 'system')).rejects.toMatchObject({
      code: 'not_found',
    });
    await store.failOfRevokedNodes(otherAccount, { code: 'node_removed', message: 'Gone.' });
    expect(await store.live(account)).toHaveLength(1);
    await store.failOfRevokedNodes(account, { code: 'node_removed', message: 'Gone.' });
    expect(await store.live(account)).toEqual([]);
    expect(await store.find(account, waiting.id)).toMatchObject({ state: 'failed', failure: { message: 'Gone.' } });
  });

  it('OperationsStore is scoped by account', async () => {
    const { id } = await inserted('a');
    expect(await store.find(otherAccount, id)).toBeUndefined();
    expect(await store.list(otherAccount, everything)).toEqual([]);
    expect(await store.live(otherAccount)).toEqual([]);
  });
});
