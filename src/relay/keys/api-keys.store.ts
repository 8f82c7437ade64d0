import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type EntityManager, type Repository } from 'typeorm';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { AccountId, ApiKeyId, ClusterId } from '../../kernel/ids.js';
import { lockAccount } from '../accounts/accounts.store.js';
import { ApiKeyEntity } from './api-key.entity.js';
import type { ApiKeyScope } from './caller.js';
import type { StoredKey } from './key-verifier.js';
import type { UsedKey } from './last-used-recorder.js';

export interface ApiKey {
  readonly id: ApiKeyId;
  readonly name: string;
  readonly last4: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly clusterIds: readonly ClusterId[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export interface NewApiKey extends Pick<ApiKey, 'id' | 'name' | 'last4' | 'scopes' | 'clusterIds'> {
  readonly digest: Buffer;
  readonly lifetimeMs: number | null;
}

const LISTED_KEYS = 1_000;

@Injectable()
export class ApiKeysStore {
  constructor(@InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>) {}

  /** Keys that are not revoked, oldest first; one that expired is listed until the next key is made. */
  async list(accountId: AccountId): Promise<readonly ApiKey[]> {
    const rows = await this.keys.find({
      where: { accountId, revokedAt: IsNull() },
      order: { createdAt: 'ASC', id: 'ASC' },
      take: LISTED_KEYS,
    });
    return rows.map(toApiKey);
  }

  /**
   * @throws FerryError `invalid_request` when an active key has the name or the account has `activeLimit` active keys,
   * `cluster_not_found` when one of the clusters is not the account's.
   */
  async insert(accountId: AccountId, key: NewApiKey, activeLimit: number): Promise<ApiKey> {
    const { id, digest, name, last4, scopes, clusterIds, lifetimeMs } = key;
    return this.keys.manager.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      // The name of an expired key is free again. An index cannot compare with the time, so expired keys are retired first.
      await manager.query(
        'UPDATE api_key SET revoked_at = expires_at WHERE account_id = $1 AND revoked_at IS NULL AND expires_at <= now()',
        [accountId],
      );
      if (await manager.existsBy(ApiKeyEntity, { accountId, name, revokedAt: IsNull() })) {
        throw new FerryError('invalid_request', 'An active API key of this name already exists.', { param: 'name' });
      }
      if ((await manager.countBy(ApiKeyEntity, { accountId, revokedAt: IsNull() })) >= activeLimit) {
        throw new FerryError('invalid_request', `This account already has ${activeLimit} active API keys.`);
      }
      if (clusterIds !== null) await refuseForeignClusters(manager, accountId, clusterIds);
      await manager.query(
        `INSERT INTO api_key (account_id, id, digest, name, last4, scopes, cluster_ids, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 millisecond')`,
        [accountId, id, digest, name, last4, scopes, clusterIds, lifetimeMs],
      );
      return toApiKey(await manager.findOneByOrFail(ApiKeyEntity, { accountId, id }));
    });
  }

  /** By id, or else by the name of an active key. Undefined when the account has no such key that could still be revoked. */
  async revoke(accountId: AccountId, idOrName: string): Promise<ApiKey | undefined> {
    const result = await this.keys
      .createQueryBuilder()
      .update()
      .set({ revokedAt: () => 'now()' })
      .where('account_id = :accountId AND revoked_at IS NULL AND (id = :idOrName OR name = :idOrName)', {
        accountId,
        idOrName,
      })
      .returning('id')
      .execute();
    const id = (result.raw as readonly { id: ApiKeyId }[])[0]?.id;
    return id === undefined ? undefined : toApiKey(await this.keys.findOneByOrFail({ accountId, id }));
  }

  /** The one look-up without an account: the credential is what tells the account. Time is judged by the database's clock. */
  async findForVerification(id: ApiKeyId): Promise<StoredKey | undefined> {
    const rows = await this.keys.query<VerificationRow[]>(
      `SELECT account_id, id, digest, scopes, cluster_ids, revoked_at IS NOT NULL AS revoked,
              (extract(epoch FROM expires_at - now()) * 1000)::float8 AS expires_in_ms
       FROM api_key WHERE id = $1`,
      [id],
    );
    const row = rows[0];
    return (
      row && {
        accountId: row.account_id,
        keyPublicId: row.id,
        scopes: row.scopes,
        clusterIds: row.cluster_ids,
        digest: row.digest,
        revoked: row.revoked,
        expiresInMs: row.expires_in_ms,
      }
    );
  }

  /** The condition keeps several relays together at one write per key and minute. */
  async markUsed(used: readonly UsedKey[]): Promise<void> {
    await this.keys.query(
      `UPDATE api_key SET last_used_at = now()
       FROM unnest($1::text[], $2::text[]) AS used (account_id, id)
       WHERE api_key.account_id = used.account_id AND api_key.id = used.id
         AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
      [used.map(({ accountId }) => accountId), used.map(({ keyPublicId }) => keyPublicId)],
    );
  }
}

interface VerificationRow {
  readonly account_id: AccountId;
  readonly id: ApiKeyId;
  readonly digest: Buffer;
  readonly scopes: readonly ApiKeyScope[];
  readonly cluster_ids: readonly ClusterId[] | null;
  readonly revoked: boolean;
  readonly expires_in_ms: number | null;
}

async function refuseForeignClusters(
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

function toApiKey(row: ApiKeyEntity): ApiKey {
  const { id, name, last4, scopes, clusterIds, createdAt, expiresAt, revokedAt, lastUsedAt } = row;
  return { id, name, last4, scopes, clusterIds, createdAt, expiresAt, revokedAt, lastUsedAt };
}
