/** Two relays on one database: each with its own memory of the operations. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openStoreDatabase, type StoreDatabase } from '../../../test/support/db/store-database.js';
import { systemClock } from '../../kernel/clock.js';
import { createAccountId, createClusterId, createNodeId, createOperationId } from '../../kernel/ids.js';
import type { AccountId, NodeId } from '../../kernel/ids.js';
import type { ProgressMessage, ResultMessage } from '../../link/messages.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { AuditTrail } from '../accounts/audit/audit-trail.store.js';
import { ClusterEntity } from '../clusters/cluster.entity.js';
import { NodeEntity } from '../nodes/node.entity.js';
import { LiveOperations } from './live-operations.js';
import { OperationEntity } from './operation.entity.js';
import { newOperation, type Operation } from './operation.js';
import { OperationsStore } from './operations.store.js';
import { StoredOperations } from './stored-operations.js';
import { UnknownReports } from './unknown-reports.js';

class Relay {
  readonly published: Operation[] = [];
  readonly live = new LiveOperations(systemClock, (_account, operation) => this.published.push(operation));
  readonly stored: StoredOperations;
  readonly unknown: UnknownReports;

  constructor(store: OperationsStore, shared = true) {
    this.stored = new StoredOperations({
      store,
      live: this.live,
      shared,
      nodeRemoved: { code: 'node_removed', message: 'Gone.' },
      monotonicMs: () => systemClock.monotonicMs(),
    });
    this.unknown = new UnknownReports(this.stored, this.live);
  }
}

let database: StoreDatabase;
let store: OperationsStore;
let account: AccountId;
let nodeId: NodeId;
let clusterId: ReturnType<typeof createClusterId>;
let first: Relay;
let second: Relay;

beforeAll(async () => {
  database = await openStoreDatabase([AccountEntity, ClusterEntity, NodeEntity, OperationEntity]);
  store = new OperationsStore(database.repository(OperationEntity), new AuditTrail());
}, 120_000);

afterAll(async () => {
  await database.close();
});

beforeEach(async () => {
  account = createAccountId();
  nodeId = createNodeId();
  clusterId = createClusterId();
  await database.repository(AccountEntity).insert({ id: account, name: 'a' });
  await database.repository(ClusterEntity).insert({ accountId: account, id: clusterId, name: 'home' });
  const publicKey = Buffer.alloc(32);
  const node = { accountId: account, id: nodeId, clusterId, name: 'desk', publicKey, state: 'active' as const };
  await database.repository(NodeEntity).insert({ ...node, platform: 'linux-x64', agentVersion: '0.1.0' });
  first = new Relay(store);
  second = new Relay(store);
  for (const relay of [first, second]) {
    await relay.stored.load(account);
    await relay.stored.readChanges([]);
    relay.published.length = 0;
  }
});

/** At the first relay. */
async function create(): Promise<Operation> {
  const request = { nodeId, nodeName: 'desk', kind: 'install', engine: null, modelKey: null, model: null } as const;
  const made = newOperation(
    createOperationId(),
    { ...request, source: `model-${String(Math.random())}`, loadAfter: false, contextTokens: null, createdBy: null },
    new Date(),
  );
  await store.insert(account, made, { perNode: 8, perAccount: 8, failuresKeptDays: 7, kept: 100 }, 'system');
  first.live.adopt(account, made);
  return made;
}

const progress = (id: string, completed_bytes: number): ProgressMessage => ({
  operation_id: id,
  state: 'running',
  phase: 'downloading',
  completed_bytes,
  total_bytes: 100,
});
const result = (id: string, outcome: ResultMessage['outcome'] = 'succeeded'): ResultMessage => ({
  operation_id: id,
  outcome,
  failure: null,
  model_key: null,
});

describe('operations of two relays', () => {
  it('operations of two relays are known at the other relay once it has read the changes, and reported once', async () => {
    const { id } = await create();
    for (let reads = 0; reads < 3; reads += 1) await second.stored.readChanges([]);
    expect(second.live.find(account, id)).toMatchObject({ id, state: 'queued' });
    expect(second.published).toHaveLength(1);
  });

  it('operations of two relays are found at once by their id', async () => {
    const { id } = await create();
    expect(await second.stored.find(account, id)).toMatchObject({ state: 'queued' });
    expect(await second.stored.find(createAccountId(), id)).toBeUndefined();
  });

  it('operations of two relays show progress at a relay with a watcher', async () => {
    const { id } = await create();
    await second.stored.readChanges([]);
    first.live.progress(account, nodeId, progress(id, 40));
    await first.stored.save(account, id);
    await second.stored.readChanges([]);
    expect(second.live.find(account, id)).toMatchObject({ state: 'queued' });
    await second.stored.readChanges([account]);
    expect(second.live.find(account, id)).toMatchObject({ state: 'running', completedBytes: 40 });
  });

  it('operations of two relays are cancelled from the other relay, and reports received meanwhile are kept', async () => {
    const { id } = await create();
    first.live.progress(account, nodeId, progress(id, 40));
    await store.requestCancel(account, id, 'system');
    await first.stored.save(account, id);
    expect(await store.find(account, id)).toMatchObject({
      state: 'running',
      completedBytes: 40,
      cancelRequested: true,
    });
    expect(first.live.find(account, id)).toMatchObject({ cancelRequested: true });
    await second.stored.readChanges([]);
    expect(second.live.find(account, id)).toMatchObject({ cancelRequested: true });
  });

  it('operations of two relays have one outcome at every relay: the first one stored', async () => {
    const { id } = await create();
    await second.stored.find(account, id);
    first.live.result(account, nodeId, result(id, 'failed'));
    second.live.result(account, nodeId, result(id, 'succeeded'));
    await second.stored.save(account, id);
    await first.stored.save(account, id);
    expect(await store.find(account, id)).toMatchObject({ state: 'succeeded' });
    expect(first.published.at(-1)).toMatchObject({ state: 'succeeded' });
    for (const relay of [first, second]) {
      expect(relay.live.find(account, id)).toBeUndefined();
      expect(await relay.stored.find(account, id)).toMatchObject({ state: 'succeeded' });
    }
  });

  it('operations of two relays do not fall back to progress after an outcome that another relay has stored', async () => {
    const { id } = await create();
    first.live.progress(account, nodeId, progress(id, 40));
    second.unknown.result(account, nodeId, result(id));
    await second.unknown.flush();
    await second.stored.save(account, id);
    await first.stored.save(account, id);
    expect(await store.find(account, id)).toMatchObject({ state: 'succeeded' });
    expect(first.live.ofAccount(account)).toEqual([]);
  });

  it('operations of two relays accept reports of their node only, at a relay that did not know them', async () => {
    const { id } = await create();
    second.unknown.result(account, createNodeId(), result(id));
    second.unknown.result(createAccountId(), nodeId, result(id));
    await second.unknown.flush();
    expect(second.live.find(account, id)).toMatchObject({ state: 'queued' });
    second.unknown.progress(account, nodeId, progress(id, 10));
    second.unknown.result(account, nodeId, result(id));
    await second.unknown.flush();
    expect(second.live.find(account, id)).toMatchObject({ state: 'succeeded' });
  });

  it('operations of two relays are not considered unfinished by a relay that missed their end', async () => {
    const { id } = await create();
    await second.stored.find(account, id);
    first.live.result(account, nodeId, result(id));
    await first.stored.save(account, id);
    await second.stored.refresh(account);
    expect(second.live.ofAccount(account)).toEqual([]);
    expect(second.published.at(-1)).toMatchObject({ state: 'succeeded' });
  });

  it('operations of two relays fail when their node is removed, also when no relay has them in memory', async () => {
    const { id } = await create();
    await database.repository(NodeEntity).update({ accountId: account, id: nodeId }, { state: 'revoked' });
    await second.stored.failOfRemovedNodes(account);
    await first.stored.readChanges([]);
    expect(first.published.at(-1)).toMatchObject({ id, state: 'failed', failure: { code: 'node_removed' } });
  });

  it('operations of two relays keep a report that arrives while another one is stored', async () => {
    const { id } = await create();
    first.live.progress(account, nodeId, progress(id, 10));
    const saving = first.stored.save(account, id);
    first.live.progress(account, nodeId, progress(id, 20));
    await saving;
    expect(first.live.find(account, id)).toMatchObject({ completedBytes: 20 });
    await first.stored.save(account, id);
    expect(await store.find(account, id)).toMatchObject({ completedBytes: 20, version: 3 });
  });
});
