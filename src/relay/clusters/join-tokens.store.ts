import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Raw, type EntityManager, type Repository } from 'typeorm';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { AccountId, ClusterId, JoinTokenId, NodeId, UserId } from '../../kernel/ids.js';
import type { AuditActor } from '../accounts/audit/audit-event.js';
import { AuditTrail } from '../accounts/audit/audit-trail.store.js';
import { lockAccount } from '../accounts/accounts.store.js';
import { requireCluster } from './clusters.store.js';
import { JoinTokenEntity } from './join-token.entity.js';

export interface NewJoinToken {
  readonly id: JoinTokenId;
  readonly clusterId: ClusterId;
  readonly hash: Buffer;
  readonly lifetimeMs: number;
}

/** One that can still be used. */
export interface OpenJoinToken {
  readonly id: JoinTokenId;
  readonly clusterId: ClusterId;
  /** Null: the relay itself. */
  readonly createdBy: UserId | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface JoinTokenLimits {
  /** Unused tokens of the account. */
  readonly openLimit: number;
  /** Throws when the actor may not make one any more; nothing is changed then. Default: nothing. */
  readonly permit?: (manager: EntityManager) => Promise<unknown>;
}

@Injectable()
export class JoinTokensStore {
  constructor(
    @InjectRepository(JoinTokenEntity) private readonly tokens: Repository<JoinTokenEntity>,
    private readonly trail: AuditTrail,
  ) {}

  /**
   * Also deletes expired tokens.
   * @returns the expiry by the clock of the database, against which it is later verified
   * @throws FerryError `cluster_not_found`, `rate_limit_exceeded` when the account has `openLimit` unused tokens
   */
  async insert(
    accountId: AccountId,
    token: NewJoinToken,
    { openLimit, permit }: JoinTokenLimits,
    actor: AuditActor,
  ): Promise<Date> {
    const createdBy = actor === 'system' ? null : actor.userId;
    return this.tokens.manager.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      await permit?.(manager);
      await requireCluster(manager, accountId, token.clusterId);
      await manager.delete(JoinTokenEntity, {
        accountId,
        usedAt: IsNull(),
        expiresAt: Raw((column) => `${column} <= now()`),
      });
      if ((await manager.countBy(JoinTokenEntity, { accountId, usedAt: IsNull() })) >= openLimit) {
        throw new FerryError('rate_limit_exceeded', `This account already has ${openLimit} unused join tokens.`, {
          retryAfterSeconds: Math.ceil(token.lifetimeMs / 1_000),
        });
      }
      const [inserted] = await manager.query<[{ expires_at: Date }]>(
        `INSERT INTO join_token (account_id, id, cluster_id, hash, expires_at, created_by)
         VALUES ($1, $2, $3, $4, now() + $5 * interval '1 millisecond', $6) RETURNING expires_at`,
        [accountId, token.id, token.clusterId, token.hash, token.lifetimeMs, createdBy],
      );
      await this.trail.record(manager, {
        accountId,
        actor,
        action: 'join_token.create',
        object: { kind: 'join_token', id: token.id },
        detail: { cluster_id: token.clusterId, expires: inserted.expires_at.toISOString() },
      });
      return inserted.expires_at;
    });
  }

  /** Oldest first. */
  async list(accountId: AccountId): Promise<readonly OpenJoinToken[]> {
    const rows = await this.tokens.query<OpenRow[]>(
      `SELECT id, cluster_id, created_by, created_at, expires_at FROM join_token
       WHERE account_id = $1 AND ${USABLE} ORDER BY created_at, id`,
      [accountId],
    );
    return rows.map(toOpenToken);
  }

  /** Undefined when there is no such token that could still be used. */
  async delete(accountId: AccountId, id: JoinTokenId, actor: AuditActor): Promise<OpenJoinToken | undefined> {
    return this.tokens.manager.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      const [rows] = await manager.query<[OpenRow[], number]>(
        `DELETE FROM join_token WHERE account_id = $1 AND id = $2 AND ${USABLE}
         RETURNING id, cluster_id, created_by, created_at, expires_at`,
        [accountId, id],
      );
      const [row] = rows;
      if (row === undefined) return undefined;
      const object = { kind: 'join_token', id };
      await this.trail.record(manager, { accountId, actor, action: 'join_token.revoke', object });
      return toOpenToken(row);
    });
  }
}

export interface SpentJoinToken {
  readonly accountId: AccountId;
  readonly clusterId: ClusterId;
}

interface OpenRow {
  readonly id: JoinTokenId;
  readonly cluster_id: ClusterId;
  readonly created_by: UserId | null;
  readonly created_at: Date;
  readonly expires_at: Date;
}

const toOpenToken = ({ id, cluster_id, created_by, created_at, expires_at }: OpenRow): OpenJoinToken => ({
  id,
  clusterId: cluster_id,
  createdBy: created_by,
  createdAt: created_at,
  expiresAt: expires_at,
});

/** Not used, not expired, and its creator may still make one: a token never outlives that (docs/reference/security.md#when-credentials-end). */
const USABLE = `used_at IS NULL AND expires_at > now() AND (created_by IS NULL OR EXISTS (
  SELECT 1 FROM "user" u
  WHERE u.account_id = join_token.account_id AND u.id = join_token.created_by AND u.disabled_at IS NULL AND u.role <> 'member'))`;

/**
 * Uses the token up, once: of any number of attempts, one wins. Undefined when it is unknown, used, expired, or its creator may not make one
 * any more. Locks the account first, like everything that ends tokens.
 */
export async function spendJoinToken(
  manager: EntityManager,
  hash: Buffer,
  nodeId: NodeId,
): Promise<SpentJoinToken | undefined> {
  const found = await manager.findOneBy(JoinTokenEntity, { hash });
  if (found === null) return undefined;
  const { accountId } = found;
  await lockAccount(manager, accountId);
  const [rows] = await manager.query<[Pick<OpenRow, 'cluster_id'>[], number]>(
    `UPDATE join_token SET used_at = now(), node_id = $3 WHERE account_id = $1 AND hash = $2 AND ${USABLE} RETURNING cluster_id`,
    [accountId, hash, nodeId],
  );
  const [row] = rows;
  return row && { accountId, clusterId: row.cluster_id };
}
