import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCredential, credentialDigest } from '../../kernel/credential.js';
import { apiKeyIdOf, createClusterId, type AccountId } from '../../kernel/ids.js';
import { openStoreDatabase, type StoreDatabase } from '../../../test/support/store-database.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { ApiKeysStore, type NewApiKey } from './api-keys.store.js';

const account = 'acc_a' as AccountId;
const stranger = 'acc_b' as AccountId;
const LIMIT = 100;
const HOUR_MS = 3_600_000;

let database: StoreDatabase;
let store: ApiKeysStore;

beforeAll(async () => {
  database = await openStoreDatabase([AccountEntity, ApiKeyEntity]);
  store = new ApiKeysStore(database.repository(ApiKeyEntity));
  await database.repository(AccountEntity).insert([
    { id: account, name: 'a' },
    { id: stranger, name: 'b' },
  ]);
}, 120_000);

afterAll(async () => {
  await database.close();
});

function newKey(name: string, overrides: Partial<NewApiKey> = {}): NewApiKey {
  const credential = createCredential('api-key');
  return {
    id: apiKeyIdOf(credential.publicId),
    digest: credentialDigest(credential),
    name,
    last4: credential.text.slice(-4),
    scopes: ['inference'],
    clusterIds: null,
    lifetimeMs: null,
    ...overrides,
  };
}

describe('ApiKeysStore', () => {
  it('keeps what verification needs, and the expiry by the clock of the database', async () => {
    const key = newKey('kept', { scopes: ['models:read'], lifetimeMs: HOUR_MS });
    const created = await store.insert(account, key, LIMIT);
    expect(created).toMatchObject({
      id: key.id,
      name: 'kept',
      scopes: ['models:read'],
      clusterIds: null,
      lastUsedAt: null,
    });

    const stored = await store.findForVerification(key.id);
    expect(stored).toMatchObject({ accountId: account, keyPublicId: key.id, scopes: ['models:read'], revoked: false });
    expect(stored?.digest.equals(key.digest)).toBe(true);
    expect(stored?.expiresInMs).toBeGreaterThan(HOUR_MS - 60_000);
    expect(stored?.expiresInMs).toBeLessThanOrEqual(HOUR_MS);
  });

  it('lets exactly one of two creations of one name at the same time win', async () => {
    const results = await Promise.allSettled(['x', 'y'].map(() => store.insert(account, newKey('same'), LIMIT)));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refusal = results.find((result) => result.status === 'rejected');
    expect(refusal?.reason).toMatchObject({ code: 'invalid_request', status: 400, param: 'name' });
  });

  it('gives a name free again when its key is revoked or has expired', async () => {
    await store.insert(account, newKey('again'), LIMIT);
    await store.revoke(account, 'again');
    await store.insert(account, newKey('again', { lifetimeMs: 0 }), LIMIT);
    await expect(store.insert(account, newKey('again'), LIMIT)).resolves.toMatchObject({ name: 'again' });
  });

  it('counts only active keys against the limit of the account', async () => {
    const { length } = await store.list(account);
    await expect(store.insert(account, newKey('one too many'), length)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(store.insert(stranger, newKey('first'), 1)).resolves.toMatchObject({ name: 'first' });
  });

  it('refuses a restriction to a cluster that is not the account’s', async () => {
    const foreign = newKey('restricted', { clusterIds: [createClusterId()] });
    await expect(store.insert(account, foreign, LIMIT)).rejects.toMatchObject({
      code: 'cluster_not_found',
      status: 404,
    });
  });

  it('revokes by id or by name, once, and never the key of another account', async () => {
    const key = await store.insert(account, newKey('to revoke'), LIMIT);
    expect(await store.revoke(stranger, key.id)).toBeUndefined();
    expect(await store.revoke(stranger, 'to revoke')).toBeUndefined();
    expect((await store.revoke(account, key.id))?.revokedAt).toBeInstanceOf(Date);
    expect(await store.revoke(account, 'to revoke')).toBeUndefined();
    expect(await store.findForVerification(key.id)).toMatchObject({ revoked: true });
    expect((await store.list(account)).map(({ id }) => id)).not.toContain(key.id);
  });

  it('notes the use of a key at most once a minute, and only for the pair of account and key', async () => {
    const { id } = await store.insert(account, newKey('used'), LIMIT);
    const lastUsed = async (): Promise<Date | null | undefined> =>
      (await store.list(account)).find((key) => key.id === id)?.lastUsedAt;

    await store.markUsed([{ accountId: stranger, keyPublicId: id }]);
    expect(await lastUsed()).toBeNull();
    await store.markUsed([{ accountId: account, keyPublicId: id }]);
    const first = await lastUsed();
    expect(first).not.toBeNull();
    await store.markUsed([{ accountId: account, keyPublicId: id }]);
    expect(await lastUsed()).toEqual(first);
  });
});
