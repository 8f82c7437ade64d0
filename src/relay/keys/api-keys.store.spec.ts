import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCredential, credentialDigest } from '../../kernel/credential.js';
import { apiKeyIdOf, createClusterId, type AccountId, type UserId } from '../../kernel/ids.js';
import { openStoreDatabase, type StoreDatabase } from '../../../test/support/db/store-database.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { AuditTrail } from '../accounts/audit/audit-trail.store.js';
import { ApiKeyEntity } from './api-key.entity.js';
import type { NewApiKey } from './api-key-rows.store.js';
import { ApiKeysStore } from './api-keys.store.js';
import { noKeyLimits } from '../platform/access/caller.js';

const account = 'acc_a' as AccountId;
const otherAccount = 'acc_b' as AccountId;
const owner = 'usr_owner' as UserId;
const other = 'usr_other' as UserId;
const LIMIT = 100;
const HOUR_MS = 3_600_000;

let database: StoreDatabase;
let store: ApiKeysStore;

beforeAll(async () => {
  database = await openStoreDatabase([AccountEntity, ApiKeyEntity]);
  store = new ApiKeysStore(database.repository(ApiKeyEntity), new AuditTrail());
  await database.repository(AccountEntity).insert([
    { id: account, name: 'a' },
    { id: otherAccount, name: 'b' },
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
    limits: noKeyLimits,
    createdBy: null,
    ...overrides,
  };
}

describe('ApiKeysStore', () => {
  it('stores what verification needs, and the expiry by the database clock', async () => {
    const key = newKey('kept', { scopes: ['models:read'], lifetimeMs: HOUR_MS });
    const created = await store.insert(account, key, LIMIT, 'system');
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
    const results = await Promise.allSettled(
      ['x', 'y'].map(() => store.insert(account, newKey('same'), LIMIT, 'system')),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refusal = results.find((result) => result.status === 'rejected');
    expect(refusal?.reason).toMatchObject({ code: 'invalid_request', status: 400, param: 'name' });
  });

  it('frees a name when its key is revoked or has expired', async () => {
    await store.insert(account, newKey('again'), LIMIT, 'system');
    await store.revoke(account, null, 'again', 'system');
    await store.insert(account, newKey('again', { lifetimeMs: 0 }), LIMIT, 'system');
    await expect(store.insert(account, newKey('again'), LIMIT, 'system')).resolves.toMatchObject({ name: 'again' });
  });

  it('counts only active keys against the limit of the account', async () => {
    const { length } = await store.list(account, null);
    await expect(store.insert(account, newKey('one too many'), length, 'system')).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(store.insert(otherAccount, newKey('first'), 1, 'system')).resolves.toMatchObject({ name: 'first' });
  });

  it('refuses a restriction to a cluster that is not the account’s', async () => {
    const foreign = newKey('restricted', { clusterIds: [createClusterId()] });
    await expect(store.insert(account, foreign, LIMIT, 'system')).rejects.toMatchObject({
      code: 'cluster_not_found',
      status: 404,
    });
  });

  it('revokes by id or by name, once, and never the key of another account', async () => {
    const key = await store.insert(account, newKey('to revoke'), LIMIT, 'system');
    expect(await store.revoke(otherAccount, null, key.id, 'system')).toBeUndefined();
    expect(await store.revoke(otherAccount, null, 'to revoke', 'system')).toBeUndefined();
    expect((await store.revoke(account, null, key.id, 'system'))?.revokedAt).toBeInstanceOf(Date);
    expect(await store.revoke(account, null, 'to revoke', 'system')).toBeUndefined();
    expect(await store.findForVerification(key.id)).toMatchObject({ revoked: true });
    expect((await store.list(account, null)).map(({ id }) => id)).not.toContain(key.id);
  });

  it('records the use of a key at most once a minute, scoped by account', async () => {
    const { id } = await store.insert(account, newKey('used'), LIMIT, 'system');
    const lastUsed = async (): Promise<Date | null | undefined> =>
      (await store.list(account, null)).find((key) => key.id === id)?.lastUsedAt;

    await store.markUsed([{ accountId: otherAccount, keyPublicId: id }]);
    expect(await lastUsed()).toBeNull();
    await store.markUsed([{ accountId: account, keyPublicId: id }]);
    const first = await lastUsed();
    expect(first).not.toBeNull();
    await store.markUsed([{ accountId: account, keyPublicId: id }]);
    expect(await lastUsed()).toEqual(first);
  });

  describe('limits and names', () => {
    const limits = { requestsPerMinute: 60, tokensPerMinute: null, concurrency: 2 };

    it('limits and names are verified with the key, and changed one by one', async () => {
      const { id } = await store.insert(account, newKey('limited', { limits }), LIMIT, 'system');
      expect((await store.findForVerification(id))?.limits).toEqual(limits);
      const changed = await store.change(
        account,
        null,
        'limited',
        { name: 'changed', limits: { concurrency: null } },
        'system',
      );
      expect(changed).toMatchObject({ id, name: 'changed', limits: { ...limits, concurrency: null } });
      expect((await store.findForVerification(id))?.limits).toEqual({ ...limits, concurrency: null });
    });

    it('limits and names are not changed by another account or user, nor to a taken name', async () => {
      const { id } = await store.insert(account, newKey('mine', { createdBy: owner }), LIMIT, 'system');
      expect(await store.change(otherAccount, null, id, { name: 'theirs' }, 'system')).toBeUndefined();
      expect(await store.change(account, other, id, { name: 'theirs' }, 'system')).toBeUndefined();
      await expect(store.change(account, owner, id, { name: 'used' }, 'system')).rejects.toMatchObject({
        code: 'invalid_request',
        param: 'name',
      });
    });
  });

  it('rolls a key although another one has the name that the old key would get', async () => {
    const old = await store.insert(account, newKey('rolled'), LIMIT, 'system');
    await store.insert(account, newKey(`rolled (rolled ${old.id.slice('key_'.length)})`), LIMIT, 'system');
    const { id, digest, last4 } = newKey('unused');
    const successor = { id, digest, last4 };
    const rolled = await store.roll(account, null, old.id, { successor, overlapMs: HOUR_MS }, LIMIT, 'system');
    expect(rolled).toMatchObject({
      key: { id, name: 'rolled' },
      previous: { id: old.id, name: `rolled (rolled ${old.id.slice('key_'.length)}, 2)` },
    });
  });

  it('limits a member to its own keys', async () => {
    const { id } = await store.insert(account, newKey('own', { createdBy: other }), LIMIT, 'system');
    expect((await store.list(account, other)).map((key) => key.id)).toEqual([id]);
    expect(await store.revoke(account, owner, id, 'system')).toBeUndefined();
    expect(await store.revoke(account, other, id, 'system')).toMatchObject({ id });
  });

  describe('rolling', () => {
    const successor = () => {
      const { id, digest, last4 } = newKey('');
      return { id, digest, last4 };
    };
    const roll = (idOrName: string, overlapMs: number, limit = LIMIT) =>
      store.roll(account, null, idOrName, { successor: successor(), overlapMs }, limit, 'system');

    it('creates a key with the same rights, and keeps the old one for the overlap', async () => {
      const limits = { requestsPerMinute: 1, tokensPerMinute: 2, concurrency: 3 };
      const old = newKey('app', { scopes: ['models:read'], limits, createdBy: owner, lifetimeMs: 48 * HOUR_MS });
      await store.insert(account, old, LIMIT, 'system');
      const rolled = await roll('app', HOUR_MS);
      expect(rolled?.key).toMatchObject({ name: 'app', scopes: ['models:read'], limits, createdBy: owner });
      expect(rolled?.previous).toMatchObject({ id: old.id, name: `app (rolled ${old.id.slice(4)})` });
      const [before, after] = await Promise.all([old.id, rolled!.key.id].map((id) => store.findForVerification(id)));
      expect(before?.revoked).toBe(false);
      expect(before?.expiresInMs).toBeLessThanOrEqual(HOUR_MS);
      expect(before?.expiresInMs).toBeGreaterThan(HOUR_MS - 60_000);
      expect(after?.expiresInMs).toBeGreaterThan(47 * HOUR_MS);
    });

    it('never extends the expiry of the old key', async () => {
      const old = newKey('short', { lifetimeMs: 60_000 });
      await store.insert(account, old, LIMIT, 'system');
      await roll('short', HOUR_MS);
      expect((await store.findForVerification(old.id))?.expiresInMs).toBeLessThanOrEqual(60_000);
    });

    it('rolling without overlap ends the old key at once, and so works in a full account', async () => {
      const old = newKey('urgent');
      await store.insert(account, old, LIMIT, 'system');
      const { length } = (await store.list(account, null)).filter(
        ({ expiresAt }) => expiresAt === null || expiresAt > new Date(),
      );
      await expect(roll('urgent', HOUR_MS, length)).rejects.toMatchObject({ code: 'invalid_request' });
      const rolled = await roll('urgent', 0, length);
      expect((await store.findForVerification(old.id))?.revoked).toBe(true);
      expect(rolled?.key.name).toBe('urgent');
    });

    it('rolling can be repeated with any name', async () => {
      const name = 'n'.repeat(64);
      await store.insert(account, newKey(name), LIMIT, 'system');
      await roll(name, HOUR_MS);
      const second = await roll(name, HOUR_MS);
      expect(second?.key.name).toBe(name);
      expect(second?.previous.name).toHaveLength(64);
      expect(await roll('unknown', HOUR_MS)).toBeUndefined();
    });
  });

  it('records every change in the audit trail, in its transaction', async () => {
    const { id } = await store.insert(account, newKey('audited'), LIMIT, 'system');
    await store.change(account, null, id, { name: 'audited 2' }, 'system');
    await store.revoke(account, null, id, 'system');
    await expect(store.insert(account, newKey('not made'), 0, 'system')).rejects.toThrow();
    const events = await database.dataSource.query<{ action: string; detail: { name: string } }[]>(
      'SELECT action, detail FROM audit_event WHERE account_id = $1 AND object_id = $2 ORDER BY position',
      [account, id],
    );
    expect(events.map(({ action }) => action)).toEqual(['key.create', 'key.update', 'key.revoke']);
    expect(events.map(({ detail }) => detail.name)).toEqual(['audited', 'audited 2', 'audited 2']);
    expect(
      await database.dataSource.query(`SELECT FROM audit_event WHERE detail ->> 'name' = 'not made'`),
    ).toHaveLength(0);
  });
});
