import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import { createCredential, credentialDigest, type Credential } from '../../kernel/credential.js';
import { apiKeyIdOf, type AccountId, type ApiKeyId } from '../../kernel/ids.js';
import type { Caller } from '../platform/access/caller.js';
import { KeyRevocations } from './key-revocations.js';
import { noKeyLimits } from '../platform/access/caller.js';
import { KeyVerifier, type KeySource, type StoredKey } from './key-verifier.js';

const account = 'acc_1' as AccountId;
const LIMITS = { freshMs: 30_000, staleMs: 300_000, maxEntries: 100, maxLoads: 50 };
const down = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

let clock: ManualClock;
let rows: Map<ApiKeyId, StoredKey>;
let revocations: KeyRevocations;
let uses: Caller[];
let verifier: KeyVerifier;
const find = jest.fn<KeySource['findForVerification']>();

beforeEach(() => {
  clock = new ManualClock();
  rows = new Map();
  uses = [];
  revocations = new KeyRevocations();
  find.mockReset().mockImplementation((id) => Promise.resolve(rows.get(id)));
  verifier = new KeyVerifier(
    { findForVerification: find },
    revocations,
    { record: (caller) => uses.push(caller) },
    LIMITS,
    clock,
  );
});

const idOf = (key: Credential): ApiKeyId => apiKeyIdOf(key.publicId);

function storedKey(overrides: Partial<StoredKey> = {}): Credential {
  const key = createCredential('api-key');
  rows.set(idOf(key), {
    accountId: account,
    keyPublicId: idOf(key),
    scopes: ['inference'],
    clusterIds: null,
    limits: noKeyLimits,
    digest: credentialDigest(key),
    revoked: false,
    expiresInMs: null,
    ...overrides,
  });
  return key;
}

const invalid = { code: 'invalid_credential', status: 401 };

describe('KeyVerifier', () => {
  it('returns the caller of a valid key', async () => {
    const key = storedKey();
    const caller = await verifier.verify(key.text);
    expect(caller).toEqual({
      accountId: account,
      keyPublicId: idOf(key),
      scopes: ['inference'],
      clusterIds: null,
      limits: noKeyLimits,
    });
    expect(uses).toEqual([caller]);
  });

  it.each([
    ['another kind of credential', () => createCredential('cli-token').text],
    ['a join token', () => createCredential('join-token').text],
    ['a wrong checksum', () => `${createCredential('api-key').text.slice(0, -1)}_`],
    ['something else', () => 'sk-proj-1234'],
  ])('refuses %s without a look-up', async (_name, text) => {
    await expect(verifier.verify(text())).rejects.toMatchObject({
      code: 'missing_or_malformed_credential',
      status: 401,
    });
    expect(find).not.toHaveBeenCalled();
  });

  it('answers unknown, revoked, expired and forged keys with one and the same error', async () => {
    const forged = createCredential('api-key');
    const dead = [
      createCredential('api-key'),
      storedKey({ revoked: true }),
      storedKey({ expiresInMs: 0 }),
      storedKey({ digest: credentialDigest(forged) }),
    ];
    const errors = await Promise.all(dead.map(({ text }) => verifier.verify(text).catch((error: unknown) => error)));
    for (const error of errors) expect(error).toMatchObject(invalid);
    expect(new Set(errors.map((error) => (error as Error).message)).size).toBe(1);
  });

  it('KeyVerifier does not look a key up again while it is fresh, and does afterwards', async () => {
    const key = storedKey();
    await verifier.verify(key.text);
    clock.advance(LIMITS.freshMs - 1);
    await verifier.verify(key.text);
    expect(find).toHaveBeenCalledTimes(1);
    clock.advance(1);
    await verifier.verify(key.text);
    expect(find).toHaveBeenCalledTimes(2);
  });

  it('works without a database for the stale time of a cached key', async () => {
    expect(verifier.worksWithoutDatabase()).toBe(false);
    const key = storedKey({ expiresInMs: LIMITS.freshMs });
    await verifier.verify(key.text);
    expect(verifier.worksWithoutDatabase()).toBe(true);
    clock.advance(LIMITS.freshMs);
    // Expired, and a clock that knows it needs no database.
    expect(verifier.worksWithoutDatabase()).toBe(false);
    const other = storedKey();
    await verifier.verify(other.text);
    clock.advance(LIMITS.staleMs - 1);
    expect(verifier.worksWithoutDatabase()).toBe(true);
    clock.advance(1);
    expect(verifier.worksWithoutDatabase()).toBe(false);
    await verifier.verify(other.text);
    revocations.announce({ accountId: account, keyPublicId: idOf(other) });
    expect(verifier.worksWithoutDatabase()).toBe(false);
  });

  it('remembers the latest accepted key of a connection, and takes no other text and no revoked key for it', async () => {
    const [key, other] = [storedKey(), storedKey()];
    const connection = {};
    const caller = await verifier.verify(key.text);
    uses.length = 0;
    for (let turn = 1; turn <= 2; turn += 1) expect(verifier.known(key.text, connection)).toBe(caller);
    expect(uses).toEqual([caller, caller]);
    expect(verifier.known(other.text, connection)).toBeUndefined();
    expect(verifier.known(`${key.text} `, connection)).toBeUndefined();
    revocations.announce({ accountId: account, keyPublicId: idOf(key) });
    expect(verifier.known(key.text, connection)).toBeUndefined();
  });

  it('answers synchronously only for a verified, fresh, active key, and counts its use', async () => {
    const key = storedKey();
    expect(verifier.known(key.text)).toBeUndefined();
    expect(verifier.known('sk-proj-1234')).toBeUndefined();
    const caller = await verifier.verify(key.text);
    uses.length = 0;
    expect(verifier.known(key.text)).toBe(caller);
    expect(uses).toEqual([caller]);
    clock.advance(LIMITS.freshMs);
    expect(verifier.known(key.text)).toBeUndefined();
    await verifier.verify(key.text);
    revocations.announce({ accountId: account, keyPublicId: idOf(key) });
    expect(verifier.known(key.text)).toBeUndefined();
  });

  it('lets concurrent first uses of one key share one query', async () => {
    const key = storedKey();
    await Promise.all(Array.from({ length: 20 }, () => verifier.verify(key.text)));
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('serves known keys for five minutes without the database, and never answers 401 for an outage', async () => {
    const known = storedKey();
    const unseen = storedKey();
    await verifier.verify(known.text);
    find.mockRejectedValue(down);

    await expect(verifier.verify(unseen.text)).rejects.toMatchObject({ code: 'overloaded', status: 503 });
    await expect(verifier.verify(createCredential('api-key').text)).rejects.toMatchObject({ code: 'overloaded' });
    clock.advance(LIMITS.staleMs - 1);
    await expect(verifier.verify(known.text)).resolves.toMatchObject({ accountId: account });
    clock.advance(1);
    await expect(verifier.verify(known.text)).rejects.toMatchObject({ code: 'overloaded' });

    find.mockImplementation((id) => Promise.resolve(rows.get(id)));
    await expect(verifier.verify(unseen.text)).resolves.toMatchObject({ accountId: account });
  });

  it('caches a refusal for a few seconds only', async () => {
    const key = createCredential('api-key');
    await expect(verifier.verify(key.text)).rejects.toMatchObject(invalid);
    await expect(verifier.verify(key.text)).rejects.toMatchObject(invalid);
    expect(find).toHaveBeenCalledTimes(1);
    clock.advance(5_000);
    await expect(verifier.verify(key.text)).rejects.toMatchObject(invalid);
    expect(find).toHaveBeenCalledTimes(2);
  });

  it('KeyVerifier does not evict valid keys for unknown ones', async () => {
    const key = storedKey();
    await verifier.verify(key.text);
    for (let count = 0; count < LIMITS.maxEntries + 1; count += 1) {
      await expect(verifier.verify(createCredential('api-key').text)).rejects.toMatchObject(invalid);
    }
    find.mockClear();
    await verifier.verify(key.text);
    expect(find).not.toHaveBeenCalled();
  });

  it('lets a key expire on time, from the cache and without the database too', async () => {
    const key = storedKey({ expiresInMs: 10_000 });
    await verifier.verify(key.text);
    find.mockRejectedValue(down);
    clock.advance(10_000);
    await expect(verifier.verify(key.text)).rejects.toMatchObject(invalid);
  });

  it('refuses a revoked key at once, despite cache and queries in flight', async () => {
    const cached = storedKey();
    const loading = storedKey();
    await verifier.verify(cached.text);
    const early = verifier.verify(loading.text);
    for (const key of [cached, loading]) revocations.announce({ accountId: account, keyPublicId: idOf(key) });
    await expect(early).rejects.toMatchObject(invalid);
    await expect(verifier.verify(cached.text)).rejects.toMatchObject(invalid);
    await expect(verifier.verify(loading.text)).rejects.toMatchObject(invalid);
  });
});
