import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type EntityManager, type Repository } from 'typeorm';
import type { AccountId, ApiKeyId, ClusterId } from '../../kernel/ids.js';
import type { AuditActor } from '../accounts/audit/audit-event.js';
import { AuditTrail } from '../accounts/audit/audit-trail.store.js';
import { lockAccount } from '../accounts/accounts.store.js';
import { ApiKeyEntity } from './api-key.entity.js';
import {
  findActive,
  insertKey,
  lockKeys,
  refuseForeignClusters,
  refuseFullAccount,
  refuseTakenName,
  retireExpired,
  freeRolledName,
  type NewApiKey,
} from './api-key-rows.store.js';
import { auditedKey, toApiKey, type ApiKey } from './api-key.js';
import type { ApiKeyScope, KeyLimits } from '../platform/access/caller.js';
import type { KeyOwner } from './key-owner.js';
import type { StoredKey } from './key-verifier.js';
import type { UsedKey } from './last-used-recorder.js';

/** Absent fields stay unchanged. */
export interface KeyChange {
  readonly name?: string;
  /** null: none from now on. */
  readonly description?: string | null;
  readonly limits?: Partial<KeyLimits>;
}

/** The replacement of a rolled key, with the same rights. */
export type SuccessorKey = Pick<NewApiKey, 'id' | 'digest' | 'last4'>;

export interface RolledKey {
  readonly key: ApiKey;
  readonly previous: ApiKey;
}

/** Throws when the actor may not make a key any more; nothing is changed then. Called under the lock of the account. */
export type KeyPermit = (manager: EntityManager) => Promise<unknown>;

const LISTED_KEYS = 1_000;

@Injectable()
export class ApiKeysStore {
  constructor(
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    private readonly trail: AuditTrail,
  ) {}

  /** Keys that are not revoked, oldest first; one that expired is listed until the next key is made. */
  async list(accountId: AccountId, owner: KeyOwner): Promise<readonly ApiKey[]> {
    const rows = await this.keys.find({
      where: { accountId, revokedAt: IsNull(), ...(owner === null ? {} : { createdBy: owner }) },
      order: { createdAt: 'ASC', id: 'ASC' },
      take: LISTED_KEYS,
    });
    return rows.map(toApiKey);
  }

  /**
   * @throws FerryError `invalid_request` when an active key has the name or the account has `activeLimit` active keys,
   * `cluster_not_found` when one of the clusters is not the account's.
   */
  async insert(
    accountId: AccountId,
    key: NewApiKey,
    activeLimit: number,
    actor: AuditActor,
    permit?: KeyPermit,
  ): Promise<ApiKey> {
    return this.keys.manager.transaction(async (manager) => {
      await lockKeys(manager, accountId);
      await permit?.(manager);
      await refuseTakenName(manager, accountId, key.id, key.name);
      await refuseFullAccount(manager, accountId, activeLimit);
      if (key.clusterIds !== null) await refuseForeignClusters(manager, accountId, key.clusterIds);
      const created = await insertKey(manager, accountId, key);
      await this.trail.record(manager, {
        accountId,
        actor,
        action: 'key.create',
        object: { kind: 'key', id: created.id },
        detail: auditedKey(created),
      });
      return created;
    });
  }

  /** Undefined when there is no such active key. @throws FerryError `invalid_request` when the name is taken. */
  async change(
    accountId: AccountId,
    owner: KeyOwner,
    idOrName: string,
    { name, description, limits }: KeyChange,
    actor: AuditActor,
  ): Promise<ApiKey | undefined> {
    return this.keys.manager.transaction(async (manager) => {
      await lockKeys(manager, accountId);
      const key = await findActive(manager, accountId, owner, idOrName);
      if (key === undefined) return undefined;
      const { id } = key;
      if (name !== undefined) await refuseTakenName(manager, accountId, id, name);
      await manager.update(
        ApiKeyEntity,
        { accountId, id },
        {
          name: name ?? key.name,
          description: description === undefined ? key.description : description,
          ...key.limits,
          ...limits,
        },
      );
      const changed = toApiKey(await manager.findOneByOrFail(ApiKeyEntity, { accountId, id }));
      await this.trail.record(manager, {
        accountId,
        actor,
        action: 'key.update',
        object: { kind: 'key', id },
        detail: auditedKey(changed),
      });
      return changed;
    });
  }

  /**
   * A new key with the rights, the name and the lifetime of the old one, which stays valid for `overlapMs` at most. Undefined when there is no such active key. @throws FerryError as `insert`
   */
  async roll(
    accountId: AccountId,
    owner: KeyOwner,
    idOrName: string,
    { successor, overlapMs, permit }: { successor: SuccessorKey; overlapMs: number; permit?: KeyPermit | undefined },
    activeLimit: number,
    actor: AuditActor,
  ): Promise<RolledKey | undefined> {
    return this.keys.manager.transaction(async (manager) => {
      await lockKeys(manager, accountId);
      await permit?.(manager);
      const old = await findActive(manager, accountId, owner, idOrName);
      if (old === undefined) return undefined;
      await manager.query(
        `UPDATE api_key SET name = $3, rolled_at = now(), expires_at = least(expires_at, now() + $4 * interval '1 millisecond')
         WHERE account_id = $1 AND id = $2`,
        [accountId, old.id, await freeRolledName(manager, accountId, old), overlapMs],
      );
      await retireExpired(manager, accountId);
      await refuseFullAccount(manager, accountId, activeLimit);
      const lifetimeMs = old.expiresAt === null ? null : old.expiresAt.getTime() - old.createdAt.getTime();
      const key = await insertKey(manager, accountId, { ...old, ...successor, lifetimeMs });
      await this.trail.record(manager, {
        accountId,
        actor,
        action: 'key.roll',
        object: { kind: 'key', id: old.id },
        detail: { ...auditedKey(key), successor: key.id, overlap_seconds: overlapMs / 1_000 },
      });
      return { key, previous: toApiKey(await manager.findOneByOrFail(ApiKeyEntity, { accountId, id: old.id })) };
    });
  }

  /** By id, or else by the name of an active key. Undefined when the account has no such key that could still be revoked. */
  async revoke(
    accountId: AccountId,
    owner: KeyOwner,
    idOrName: string,
    actor: AuditActor,
  ): Promise<ApiKey | undefined> {
    return this.keys.manager.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      const key = await findActive(manager, accountId, owner, idOrName);
      if (key === undefined) return undefined;
      const { id, name } = key;
      await manager.query('UPDATE api_key SET revoked_at = now() WHERE account_id = $1 AND id = $2', [accountId, id]);
      await this.trail.record(manager, {
        accountId,
        actor,
        action: 'key.revoke',
        object: { kind: 'key', id },
        detail: { name },
      });
      return toApiKey(await manager.findOneByOrFail(ApiKeyEntity, { accountId, id }));
    });
  }

  /** Not scoped by account: the credential identifies it. Times are those of the database's clock. */
  async findForVerification(id: ApiKeyId): Promise<StoredKey | undefined> {
    const rows = await this.keys.query<VerificationRow[]>(
      `SELECT account_id, id, digest, scopes, cluster_ids, requests_per_minute, tokens_per_minute, concurrency,
              revoked_at IS NOT NULL AS revoked,
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
        limits: {
          requestsPerMinute: row.requests_per_minute,
          tokensPerMinute: row.tokens_per_minute,
          concurrency: row.concurrency,
        },
        digest: row.digest,
        revoked: row.revoked,
        expiresInMs: row.expires_in_ms,
      }
    );
  }

  /** The condition limits all replicas together to one write per key and minute. */
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
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
  readonly concurrency: number | null;
  readonly revoked: boolean;
  readonly expires_in_ms: number | null;
}
