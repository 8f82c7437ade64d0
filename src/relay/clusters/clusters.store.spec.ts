import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStoreDatabase, type StoreDatabase } from '../../../test/support/store-database.js';
import { createClusterId, createJoinTokenId, type AccountId, type ClusterId } from '../../kernel/ids.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { ClusterEntity } from './cluster.entity.js';
import { ClustersStore } from './clusters.store.js';
import { JoinTokenEntity } from './join-token.entity.js';
import { JoinTokensStore } from './join-tokens.store.js';

const account = 'acc_a' as AccountId;
const stranger = 'acc_b' as AccountId;

let database: StoreDatabase;
let clusters: ClustersStore;
let joinTokens: JoinTokensStore;
let home: ClusterId;

beforeAll(async () => {
  database = await openStoreDatabase([AccountEntity, ClusterEntity, JoinTokenEntity]);
  clusters = new ClustersStore(database.repository(ClusterEntity));
  joinTokens = new JoinTokensStore(database.repository(JoinTokenEntity));
  await database.repository(AccountEntity).insert([
    { id: account, name: 'a' },
    { id: stranger, name: 'b' },
  ]);
  home = (await clusters.ensureFirst(account, createClusterId(), 'home')).id;
}, 120_000);

afterAll(async () => {
  await database.close();
});

describe('ClustersStore', () => {
  it('makes the first cluster of an account once, however many ask at the same time', async () => {
    const made = await Promise.all([1, 2, 3].map(() => clusters.ensureFirst(stranger, createClusterId(), 'home')));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await clusters.list(stranger)).toHaveLength(1);
  });

  it('keeps to the limit of the account', async () => {
    const { length } = await clusters.list(account);
    await expect(clusters.insert(account, createClusterId(), 'one too many', length)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('renames a cluster of the account, to a name that is free', async () => {
    const { id } = await clusters.insert(account, createClusterId(), 'old', 50);
    await expect(clusters.rename(account, id, 'home')).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'name',
    });
    expect(await clusters.rename(account, id, 'new')).toMatchObject({ id, name: 'new' });
    expect(await clusters.rename(account, id, 'new')).toMatchObject({ name: 'new' });
    expect(await clusters.rename(stranger, id, 'mine now')).toBeUndefined();
    expect((await clusters.list(account)).map(({ name }) => name)).toEqual(['home', 'new']);
  });
});

describe('JoinTokensStore', () => {
  const token = (lifetimeMs: number) => {
    const id = createJoinTokenId();
    return { id, clusterId: home, hash: Buffer.from(id), lifetimeMs };
  };

  it('limits unused tokens, and forgets those that expired', async () => {
    await joinTokens.insert(account, token(0), 2);
    await joinTokens.insert(account, token(60_000), 2);
    await joinTokens.insert(account, token(60_000), 2);
    await expect(joinTokens.insert(account, token(60_000), 2)).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
      status: 429,
      retryAfterSeconds: 60,
    });
    expect(await database.repository(JoinTokenEntity).countBy({ accountId: account })).toBe(2);
  });

  it('cannot pair an account with a cluster of another', async () => {
    await expect(joinTokens.insert(stranger, token(60_000), 2)).rejects.toThrow(/join_token_cluster_fk/);
  });
});
