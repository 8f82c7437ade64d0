import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStoreDatabase, type StoreDatabase } from '../../../test/support/db/store-database.js';
import { createClusterId, createNodeId, type AccountId, type JoinTokenId, type NodeId } from '../../kernel/ids.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { ClusterEntity } from '../clusters/cluster.entity.js';
import { JoinTokenEntity } from '../clusters/join-token.entity.js';
import { UsedNonceEntity } from './handshake/used-nonce.entity.js';
import { NodeEntity } from './node.entity.js';
import { AuditTrail } from '../accounts/audit/audit-trail.store.js';
import { NodeChangesStore } from './node-changes.store.js';
import { NodesStore, type NewNode } from './nodes.store.js';

const account = 'acc_a' as AccountId;
const otherAccount = 'acc_b' as AccountId;
const home = createClusterId();
const foreign = createClusterId();
const LIMIT = 50;
const HOUR_MS = 3_600_000;

let database: StoreDatabase;
let store: NodesStore;
let changes: NodeChangesStore;

beforeAll(async () => {
  database = await openStoreDatabase([AccountEntity, ClusterEntity, JoinTokenEntity, NodeEntity, UsedNonceEntity]);
  store = new NodesStore(database.repository(NodeEntity), new AuditTrail());
  changes = new NodeChangesStore(database.repository(NodeEntity), new AuditTrail());
  await database.repository(AccountEntity).insert([
    { id: account, name: 'a' },
    { id: otherAccount, name: 'b' },
  ]);
  await database.repository(ClusterEntity).insert([
    { accountId: account, id: home, name: 'home' },
    { accountId: otherAccount, id: foreign, name: 'home' },
  ]);
}, 30_000);

afterAll(async () => {
  await database.close();
});

async function newToken(lifetimeMs = HOUR_MS, accountId = account): Promise<Buffer> {
  const hash = randomBytes(32);
  await database.repository(JoinTokenEntity).insert({
    accountId,
    id: `join_${hash.toString('hex')}` as JoinTokenId,
    clusterId: accountId === account ? home : foreign,
    hash,
    expiresAt: new Date(Date.now() + lifetimeMs),
  });
  return hash;
}

const newNode = (): NewNode => ({
  id: createNodeId(),
  name: 'laptop',
  platform: 'linux-x64',
  agentVersion: '0.1.0',
  publicKey: randomBytes(32),
});

async function enrolled(accountId = account): Promise<NodeId> {
  const node = newNode();
  await store.enrol(await newToken(HOUR_MS, accountId), node, LIMIT);
  return node.id;
}

const nonceHash = (): Buffer => randomBytes(32);

describe('NodesStore', () => {
  describe('enrol', () => {
    it('creates a node in the account and cluster of the token', async () => {
      const node = newNode();
      expect(await store.enrol(await newToken(), node, LIMIT)).toEqual({ accountId: account, clusterId: home });
      const stored = await store.findEnrolled(node.id);
      expect(stored).toMatchObject({ accountId: account, clusterId: home, name: 'laptop', state: 'active' });
      expect(stored?.publicKey.equals(node.publicKey)).toBe(true);
    });

    it('numbers computers of one name, also when they join at once, and frees the name of a revoked node', async () => {
      const named = (name: string): NewNode => ({ ...newNode(), name });
      const nodes = [named('vm'), named('vm'), named('vm'), named('vm-2')];
      const tokens = await Promise.all(nodes.map(() => newToken()));
      await Promise.all(nodes.map(async (node, index) => store.enrol(tokens[index] ?? Buffer.alloc(0), node, LIMIT)));
      const names = await Promise.all(nodes.map(async ({ id }) => (await store.findEnrolled(id))?.name ?? ''));
      expect(new Set(names).size).toBe(4);
      expect(names).toEqual(expect.arrayContaining(['vm', 'vm-2', 'vm-3']));
      await changes.revoke(account, nodes[names.indexOf('vm')]?.id ?? createNodeId(), 'system');
      const next = named('vm');
      await store.enrol(await newToken(), next, LIMIT);
      expect((await store.findEnrolled(next.id))?.name).toBe('vm');
    });

    it('records the node that used the token', async () => {
      const hash = await newToken();
      const node = newNode();
      await store.enrol(hash, node, LIMIT);
      const token = await database.repository(JoinTokenEntity).findOneByOrFail({ hash });
      expect(token.nodeId).toBe(node.id);
      expect(token.usedAt).toBeInstanceOf(Date);
    });

    it('creates one node per token under concurrent attempts', async () => {
      const hash = await newToken();
      const results = await Promise.all(Array.from({ length: 20 }, () => store.enrol(hash, newNode(), LIMIT)));
      expect(results.filter((result) => result !== undefined)).toHaveLength(1);
      expect(await store.enrol(hash, newNode(), LIMIT)).toBeUndefined();
    });

    it('refuses expired and unknown tokens', async () => {
      expect(await store.enrol(await newToken(-1_000), newNode(), LIMIT)).toBeUndefined();
      expect(await store.enrol(randomBytes(32), newNode(), LIMIT)).toBeUndefined();
    });

    it('refuses nodes beyond the limit of the account, and the token stays valid', async () => {
      const full = (await store.list(account)).length;
      const hash = await newToken();
      await expect(store.enrol(hash, newNode(), full)).rejects.toMatchObject({ code: 'invalid_request' });
      expect(await store.enrol(hash, newNode(), full + 1)).toBeDefined();
    });
  });

  describe('markStopped', () => {
    const stoppedAt = async (nodeId: NodeId): Promise<Date | null | undefined> =>
      (await store.find(account, nodeId))?.stoppedAt;

    it('tells a stopped node from a lost one until it connects again', async () => {
      const nodeId = await enrolled();
      await store.admit(account, nodeId, nonceHash());
      expect(await stoppedAt(nodeId)).toBeNull();
      await store.markStopped({ accountId: account, nodeId, epoch: 1 });
      expect(await stoppedAt(nodeId)).toBeInstanceOf(Date);
      await store.admit(account, nodeId, nonceHash());
      expect(await stoppedAt(nodeId)).toBeNull();
    });

    it('does nothing when a newer process has connected, or for another account', async () => {
      const nodeId = await enrolled();
      await store.admit(account, nodeId, nonceHash());
      await store.admit(account, nodeId, nonceHash());
      await store.markStopped({ accountId: account, nodeId, epoch: 1 });
      await store.markStopped({ accountId: otherAccount, nodeId, epoch: 2 });
      expect(await stoppedAt(nodeId)).toBeNull();
    });

    it('does not last while the node is seen at another replica', async () => {
      const nodeId = await enrolled();
      await store.admit(account, nodeId, nonceHash());
      await store.markStopped({ accountId: account, nodeId, epoch: 1 });
      await store.markSeen([{ accountId: account, nodeId, platform: 'linux-x64', agentVersion: '0.1.0' }]);
      expect(await stoppedAt(nodeId)).toBeNull();
    });
  });

  describe('admit', () => {
    it('gives each link a higher epoch', async () => {
      const nodeId = await enrolled();
      expect(await store.admit(account, nodeId, nonceHash())).toEqual({ kind: 'admitted', epoch: 1 });
      expect(await store.admit(account, nodeId, nonceHash())).toEqual({ kind: 'admitted', epoch: 2 });
    });

    it('gives the links of one process one epoch, and refuses them once a newer process has drawn one', async () => {
      const nodeId = await enrolled();
      expect(await store.admit(account, nodeId, nonceHash())).toEqual({ kind: 'admitted', epoch: 1 });
      expect(await store.admit(account, nodeId, nonceHash(), 1)).toEqual({ kind: 'admitted', epoch: 1 });
      expect(await store.admit(account, nodeId, nonceHash())).toEqual({ kind: 'admitted', epoch: 2 });
      expect(await store.admit(account, nodeId, nonceHash(), 1)).toEqual({ kind: 'superseded' });
    });

    it('keeps the epoch of a process that is ahead of a restored database', async () => {
      const nodeId = await enrolled();
      expect(await store.admit(account, nodeId, nonceHash(), 7)).toEqual({ kind: 'admitted', epoch: 7 });
      expect(await store.admit(account, nodeId, nonceHash())).toEqual({ kind: 'admitted', epoch: 8 });
    });

    it('accepts a nonce once over all nodes and concurrent attempts', async () => {
      const [nodeId, other] = [await enrolled(), await enrolled()];
      const hash = nonceHash();
      const results = await Promise.all(Array.from({ length: 20 }, () => store.admit(account, nodeId, hash)));
      expect(results.filter(({ kind }) => kind === 'admitted')).toHaveLength(1);
      expect(await store.admit(account, other, hash)).toEqual({ kind: 'replayed' });
      expect(await store.admit(account, nodeId, nonceHash())).toEqual({ kind: 'admitted', epoch: 2 });
    });

    it('refuses revoked nodes and nodes of another account', async () => {
      const nodeId = await enrolled();
      expect(await store.admit(otherAccount, nodeId, nonceHash())).toEqual({ kind: 'inactive' });
      await changes.revoke(account, nodeId, 'system');
      expect(await store.admit(account, nodeId, nonceHash())).toEqual({ kind: 'inactive' });
      expect(await store.admit(account, nodeId, nonceHash(), 9)).toEqual({ kind: 'inactive' });
    });

    it('shows the node as seen', async () => {
      const nodeId = await enrolled();
      const find = async () => (await store.list(account)).find(({ id }) => id === nodeId);
      expect((await find())?.lastSeenAt).toBeNull();
      await store.admit(account, nodeId, nonceHash());
      expect((await find())?.lastSeenAt).toBeInstanceOf(Date);
    });
  });

  describe('revoke', () => {
    it('applies to active nodes of the account', async () => {
      const nodeId = await enrolled();
      expect(await changes.revoke(otherAccount, nodeId, 'system')).toBe(false);
      expect(await changes.revoke(account, createNodeId(), 'system')).toBe(false);
      expect(await changes.revoke(account, nodeId, 'system')).toBe(true);
      const listed = async (revoked: boolean) => (await store.list(account, revoked)).some(({ id }) => id === nodeId);
      expect([await listed(true), await listed(false)]).toEqual([true, false]);
      expect(await changes.revoke(account, nodeId, 'system')).toBe(false);
      expect((await store.list(account)).map(({ id }) => id)).not.toContain(nodeId);
    });
  });

  it('lists nodes of the account only', async () => {
    const foreignNode = await enrolled(otherAccount);
    expect((await store.list(account)).map(({ id }) => id)).not.toContain(foreignNode);
    expect(await store.list(otherAccount)).toMatchObject([{ id: foreignNode, clusterId: foreign }]);
  });

  it('records last-seen data within the account', async () => {
    const [nodeId, other] = [await enrolled(), await enrolled()];
    const facts = { platform: 'darwin-arm64', agentVersion: '0.2.0' };
    await store.markSeen([
      { accountId: account, nodeId, ...facts },
      { accountId: otherAccount, nodeId: other, ...facts },
    ]);
    const nodes = await store.list(account);
    const seen = nodes.find(({ id }) => id === nodeId);
    expect(seen).toMatchObject(facts);
    expect(seen?.lastSeenAt).toBeInstanceOf(Date);
    expect(nodes.find(({ id }) => id === other)).toMatchObject({ platform: 'linux-x64', lastSeenAt: null });
  });

  it('deletes old nonces and keeps recent ones', async () => {
    const nonces = database.repository(UsedNonceEntity);
    const [old, young] = [nonceHash(), nonceHash()];
    await nonces.insert([{ hash: old, usedAt: new Date(Date.now() - HOUR_MS) }, { hash: young }]);
    await store.pruneNonces(HOUR_MS / 2);
    expect(await nonces.existsBy({ hash: old })).toBe(false);
    expect(await nonces.existsBy({ hash: young })).toBe(true);
  });
});

describe('NodeChangesStore', () => {
  const actionsOf = async (id: NodeId): Promise<string[]> =>
    (
      await database.dataSource.query<{ action: string }[]>(
        'SELECT action FROM audit_event WHERE account_id = $1 AND object_id = $2 ORDER BY position',
        [account, id],
      )
    ).map(({ action }) => action);

  it('renames, moves and pauses a node durably', async () => {
    const id = await enrolled();
    const office = createClusterId();
    await database.repository(ClusterEntity).insert({ accountId: account, id: office, name: office });
    await changes.change(account, id, { name: 'desktop', clusterId: office }, 'node.update', 'system');
    const paused = await changes.change(account, id, { paused: true }, 'node.pause', 'system');
    expect(paused).toMatchObject({ name: 'desktop', clusterId: office, paused: true });
    expect(await store.findEnrolled(id)).toMatchObject({ name: 'desktop', clusterId: office, paused: true });
    expect(await actionsOf(id)).toEqual(['node.enrol', 'node.update', 'node.pause']);
  });

  it('NodeChangesStore does not move a node to a cluster of another account, nor touch the nodes of another', async () => {
    const id = await enrolled();
    await expect(changes.change(account, id, { clusterId: foreign }, 'node.update', 'system')).rejects.toMatchObject({
      code: 'cluster_not_found',
    });
    expect(await changes.change(otherAccount, id, { name: 'mine' }, 'node.update', 'system')).toBeUndefined();
    expect(await changes.delete(otherAccount, id, 'system')).toBe(false);
  });

  it('deletes a node only after it was revoked', async () => {
    const id = await enrolled();
    expect(await changes.delete(account, id, 'system')).toBe(false);
    await changes.revoke(account, id, 'system');
    expect(await changes.change(account, id, { name: 'ghost' }, 'node.update', 'system')).toBeUndefined();
    expect(await changes.delete(account, id, 'system')).toBe(true);
    expect(await store.find(account, id)).toBeUndefined();
    expect(await actionsOf(id)).toEqual(['node.enrol', 'node.revoke', 'node.delete']);
  });

  describe('confirming a pending node', () => {
    const pending = async (): Promise<NodeId> => {
      const id = await enrolled();
      await database.repository(NodeEntity).update({ accountId: account, id }, { state: 'pending' });
      return id;
    };
    const confirm = (id: NodeId, right: boolean, accountId = account) =>
      changes.confirm(accountId, id, () => right, 5, 'system');

    it('makes it active, once', async () => {
      const id = await pending();
      expect(await confirm(id, true, otherAccount)).toBeUndefined();
      expect(await confirm(id, false)).toBe('wrong');
      expect((await store.findEnrolled(id))?.state).toBe('pending');
      expect(await confirm(id, true)).toBe('confirmed');
      expect((await store.findEnrolled(id))?.state).toBe('active');
      expect(await confirm(id, true)).toBe('not_pending');
    });

    it('accepts at most five wrong answers, under concurrency', async () => {
      const id = await pending();
      const outcomes = await Promise.all(Array.from({ length: 12 }, () => confirm(id, false)));
      const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
      expect([count('wrong'), count('given_up'), count('not_pending')]).toEqual([4, 1, 7]);
      expect((await store.findEnrolled(id))?.state).toBe('revoked');
      expect(await confirm(id, true)).toBe('not_pending');
    });
  });
});
