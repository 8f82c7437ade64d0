import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Raw, type Repository } from 'typeorm';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { AccountId, ClusterId, JoinTokenId } from '../../kernel/ids.js';
import type { AuditActor } from '../audit/audit-event.js';
import { AuditTrail } from '../audit/audit-trail.store.js';
import { lockAccount } from '../accounts/accounts.store.js';
import { JoinTokenEntity } from './join-token.entity.js';

export interface NewJoinToken {
  readonly id: JoinTokenId;
  readonly clusterId: ClusterId;
  readonly hash: Buffer;
  readonly lifetimeMs: number;
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
   * @throws FerryError `rate_limit_exceeded` when the account has `openLimit` unused tokens
   */
  async insert(accountId: AccountId, token: NewJoinToken, openLimit: number, actor: AuditActor): Promise<Date> {
    return this.tokens.manager.transaction(async (manager) => {
      await lockAccount(manager, accountId);
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
        `INSERT INTO join_token (account_id, id, cluster_id, hash, expires_at)
         VALUES ($1, $2, $3, $4, now() + $5 * interval '1 millisecond') RETURNING expires_at`,
        [accountId, token.id, token.clusterId, token.hash, token.lifetimeMs],
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
}
