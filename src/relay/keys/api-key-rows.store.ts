/** Steps of the transactions that change the keys of an account. */
import { IsNull, Not, type EntityManager } from 'typeorm';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { AccountId, ApiKeyId, ClusterId } from '../../kernel/ids.js';
import { lockAccount } from '../accounts/accounts.store.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { toApiKey, type ApiKey } from './api-key.js';
import type { KeyOwner } from './key-owner.js';

export interface NewApiKey extends Pick<
  ApiKey,
  'id' | 'name' | 'last4' | 'scopes' | 'clusterIds' | 'limits' | 'createdBy'
> {
  readonly description?: string | null;
  readonly digest: Buffer;
  readonly lifetimeMs: number | null;
}

/** Serialises changes to the keys of one account, after retiring expired keys. */
export async function lockKeys(manager: EntityManager, accountId: AccountId): Promise<void> {
  await lockAccount(manager, accountId);
  await retireExpired(manager, accountId);
}

/** Frees the names of expired keys, because the unique index cannot depend on the current time. */
export async function retireExpired(manager: EntityManager, accountId: AccountId): Promise<void> {
  await manager.query(
    'UPDATE api_key SET revoked_at = expires_at WHERE account_id = $1 AND revoked_at IS NULL AND expires_at <= now()',
    [accountId],
  );
}

export async function findActive(
  manager: EntityManager,
  accountId: AccountId,
  owner: KeyOwner,
  idOrName: string,
): Promise<ApiKey | undefined> {
  const row = await manager
    .createQueryBuilder(ApiKeyEntity, 'key')
    .where({ accountId, revokedAt: IsNull(), ...(owner === null ? {} : { createdBy: owner }) })
    .andWhere('(key.id = :idOrName OR key.name = :idOrName)', { idOrName })
    .getOne();
  return row === null ? undefined : toApiKey(row);
}

export async function insertKey(manager: EntityManager, accountId: AccountId, key: NewApiKey): Promise<ApiKey> {
  const { id, digest, name, description = null, last4, scopes, clusterIds, limits, createdBy, lifetimeMs } = key;
  await manager.query(
    `INSERT INTO api_key (account_id, id, digest, name, last4, scopes, cluster_ids,
                          requests_per_minute, tokens_per_minute, concurrency, created_by, expires_at, description)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + $12 * interval '1 millisecond', $13)`,
    [
      accountId,
      id,
      digest,
      name,
      last4,
      scopes,
      clusterIds,
      limits.requestsPerMinute,
      limits.tokensPerMinute,
      limits.concurrency,
      createdBy,
      lifetimeMs,
      description,
    ],
  );
  return toApiKey(await manager.findOneByOrFail(ApiKeyEntity, { accountId, id }));
}

const NAME_CHARACTERS = 64;

/**
 * The successor takes the name; the old key keeps as much of it as fits beside its id. Somebody may have named a key like that already,
 * which must not keep a key from being rolled.
 */
export async function freeRolledName(manager: EntityManager, accountId: AccountId, key: ApiKey): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = rolledName(key, number === 1 ? '' : `, ${String(number)}`);
    if (!(await manager.existsBy(ApiKeyEntity, { accountId, name, id: Not(key.id), revokedAt: IsNull() }))) return name;
  }
}

function rolledName({ name, id }: ApiKey, more: string): string {
  const mark = ` (rolled ${id.slice('key_'.length)}${more})`;
  return (
    Array.from(name)
      .slice(0, NAME_CHARACTERS - mark.length)
      .join('')
      .trimEnd() + mark
  );
}

export async function refuseTakenName(
  manager: EntityManager,
  accountId: AccountId,
  id: ApiKeyId,
  name: string,
): Promise<void> {
  if (await manager.existsBy(ApiKeyEntity, { accountId, name, id: Not(id), revokedAt: IsNull() })) {
    throw new FerryError('invalid_request', 'An active API key of this name already exists.', { param: 'name' });
  }
}

export async function refuseFullAccount(
  manager: EntityManager,
  accountId: AccountId,
  activeLimit: number,
): Promise<void> {
  if ((await manager.countBy(ApiKeyEntity, { accountId, revokedAt: IsNull() })) >= activeLimit) {
    throw new FerryError(
      'invalid_request',
      `This account already has ${activeLimit} active API keys. Revoke one first.`,
    );
  }
}

export async function refuseForeignClusters(
  manager: EntityManager,
  accountId: AccountId,
  clusterIds: readonly ClusterId[],
): Promise<void> {
  const [owned] = await manager.query<[{ count: number }]>(
    'SELECT count(*)::int AS count FROM cluster WHERE account_id = $1 AND id = ANY($2)',
    [accountId, clusterIds],
  );
  if (owned.count === new Set(clusterIds).size) return;
  throw new FerryError('cluster_not_found', 'One of the clusters does not exist.', { param: 'cluster_ids' });
}
