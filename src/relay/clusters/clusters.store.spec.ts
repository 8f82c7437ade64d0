import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStoreDatabase, type StoreDatabase } from '../../../test/support/db/store-database.js';
import { createClusterId, createJoinTokenId, createNodeId, type AccountId, type ClusterId } from '../../kernel/ids.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { ClusterEntity } from './cluster.entity.js';
import { AuditTrail } from '../accounts/audit/audit-trail.store.js';
import { ClustersStore } from './clusters.store.js';
import { JoinTokenEntity } from './join-token.entity.js';
import { JoinTokensStore } from './join-tokens.store.js';

const account = 'acc_a' as AccountId;
const otherAccount = 'acc_b' as AccountId;

let database: StoreDatabase;
let clusters: ClustersStore;
let joinTokens: JoinTokensStore;
let home: ClusterId;

beforeAll(async () => {
  database = await openStoreDatabase([AccountEntity, ClusterEntity, JoinTokenEntity]);
  clusters = new ClustersStore(database.repository(ClusterEntity), new AuditTrail());
  joinTokens = new JoinTokensStore(database.repository(JoinTokenEntity), new AuditTrail());
  await database.repository(AccountEntity).insert([
    { id: account, name: 'a' },
    { id: otherAccount, name: 'b' },
  ]);
  home = (await clusters.ensureFirst(account, createClusterId(), 'home')).id;
}, 120_000);

afterAll(async () => {
  await database.close();
});

describe('ClustersStore', () => {
  it('creates the first cluster of an account once, under concurrent calls', async () => {
    const made = await Promise.all([1, 2, 3].map(() => clusters.ensureFirst(otherAccount, createClusterId(), 'home')));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await clusters.list(otherAccount)).toHaveLength(1);
  });

  it('enforces the limit of the account', async () => {
    const { length } = await clusters.list(account);
    await expect(
      clusters.insert(account, { id: createClusterId(), name: 'one too many' }, length, 'system'),
    ).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('renames a cluster of the account to a free name', async () => {
    const { id } = await clusters.insert(account, { id: createClusterId(), name: 'old' }, 50, 'system');
    await expect(clusters.rename(account, id, 'home', 'system')).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'name',
    });
    expect(await clusters.rename(account, id, 'new', 'system')).toMatchObject({ id, name: 'new' });
    expect(await clusters.rename(account, id, 'new', 'system')).toMatchObject({ name: 'new' });
    expect(await clusters.rename(otherAccount, id, 'mine now', 'system')).toBeUndefined();
    expect((await clusters.list(account)).map(({ name }) => name)).toEqual(['home', 'new']);
  });
});

describe('deleting a cluster', () => {
  const insertNode = (clusterId: ClusterId, name: string, state = 'active') =>
    database.dataSource.query(
      `INSERT INTO node (account_id, id, cluster_id, name, public_key, state, platform, agent_version)
       VALUES ($1, $2, $3, $4, '', $5, '', '')`,
      [account, createNodeId(), clusterId, name, state],
    );

  it('deleting a cluster is refused while nodes or keys use it, and names them', async () => {
    const { id } = await clusters.insert(account, { id: createClusterId(), name: 'full' }, 50, 'system');
    for (const name of ['n1', 'n2', 'n3', 'n4', 'n5']) await insertNode(id, name);
    await database.dataSource.query(
      `INSERT INTO api_key (account_id, id, digest, name, last4, scopes, cluster_ids)
       VALUES ($1, 'key_1', '', 'app', '', '{}', ARRAY[$2])`,
      [account, id],
    );
    await expect(clusters.delete(account, id, 'system')).rejects.toMatchObject({
      code: 'conflict',
      status: 409,
      message:
        'This cluster is not empty. It has nodes: n1, n2, n3 and 2 more; API keys that are restricted to it: app.',
    });
  });

  it('succeeds for an empty cluster of the account, even with revoked nodes', async () => {
    const { id } = await clusters.insert(account, { id: createClusterId(), name: 'empty' }, 50, 'system');
    await insertNode(id, 'gone', 'revoked');
    expect(await clusters.delete(otherAccount, id, 'system')).toBe(false);
    expect(await clusters.delete(account, id, 'system')).toBe(true);
    expect((await clusters.list(account)).map((cluster) => cluster.id)).not.toContain(id);
  });

  it('deleting a cluster is refused for the last cluster', async () => {
    const [only] = await clusters.list(otherAccount);
    await expect(clusters.delete(otherAccount, only!.id, 'system')).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('JoinTokensStore', () => {
  const token = (lifetimeMs: number) => {
    const id = createJoinTokenId();
    return { id, clusterId: home, hash: Buffer.from(id), lifetimeMs };
  };

  it('limits unused tokens, and deletes expired ones', async () => {
    await joinTokens.insert(account, token(0), { openLimit: 2 }, 'system');
    await joinTokens.insert(account, token(60_000), { openLimit: 2 }, 'system');
    await joinTokens.insert(account, token(60_000), { openLimit: 2 }, 'system');
    await expect(joinTokens.insert(account, token(60_000), { openLimit: 2 }, 'system')).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
      status: 429,
      retryAfterSeconds: 60,
    });
    expect(await database.repository(JoinTokenEntity).countBy({ accountId: account })).toBe(2);
  });

  it('JoinTokensStore cannot refer to a cluster of another account', async () => {
    await expect(joinTokens.insert(otherAccount, token(60_000), { openLimit: 2 }, 'system')).rejects.toMatchObject({
      code: 'cluster_not_found',
      status: 404,
    });
  });
});
