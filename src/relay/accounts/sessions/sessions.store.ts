import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import type { AccountId, SessionId, UserId } from '../../../kernel/ids.js';
import type { Role } from '../../platform/access/principal.js';
import { SessionEntity } from './session.entity.js';

export interface SessionLimits {
  readonly idleMs: number;
  readonly lifetimeMs: number;
}

export interface StoredSession {
  readonly accountId: AccountId;
  readonly id: SessionId;
  readonly userId: UserId;
  readonly role: Role;
  readonly email: string;
  readonly digest: Buffer;
  /** Within the absolute and the idle lifetime, and its user is not disabled. */
  readonly active: boolean;
  /** `last_used_at` is due for an update. */
  readonly unnoted: boolean;
  /** Since the sign-in. */
  readonly ageMs: number;
}

const NOTED_EVERY = `interval '1 minute'`;
/** Sessions per user; a new one ends the oldest. */
const SESSIONS_PER_USER = 50;

/** All times are those of the database's clock. */
@Injectable()
export class SessionsStore {
  constructor(@InjectRepository(SessionEntity) private readonly sessions: Repository<SessionEntity>) {}

  async insert(
    manager: EntityManager,
    accountId: AccountId,
    session: { readonly id: SessionId; readonly userId: UserId; readonly digest: Buffer },
  ): Promise<void> {
    await manager.insert(SessionEntity, { accountId, ...session });
    await manager.query(
      `DELETE FROM session WHERE account_id = $1 AND user_id = $2 AND id IN (
         SELECT id FROM session WHERE account_id = $1 AND user_id = $2
         ORDER BY last_seen_at DESC, created_at DESC OFFSET ${String(SESSIONS_PER_USER)})`,
      [accountId, session.userId],
    );
  }

  /** Not scoped by account: the credential identifies it. */
  async findForVerification(id: SessionId, { idleMs, lifetimeMs }: SessionLimits): Promise<StoredSession | undefined> {
    const [row] = await this.sessions.query<VerificationRow[]>(
      `SELECT s.account_id, s.id, s.user_id, s.digest, u.role, u.email,
              u.disabled_at IS NULL AND s.last_seen_at > now() - $2 * interval '1 millisecond'
                AND s.created_at > now() - $3 * interval '1 millisecond' AS active,
              s.last_seen_at < now() - ${NOTED_EVERY} AS unnoted,
              (extract(epoch FROM now() - s.created_at) * 1000)::float8 AS age_ms
       FROM session s JOIN "user" u ON u.account_id = s.account_id AND u.id = s.user_id
       WHERE s.id = $1`,
      [id, idleMs, lifetimeMs],
    );
    if (row === undefined) return undefined;
    const { account_id, user_id, age_ms, ...rest } = row;
    return { ...rest, accountId: account_id, userId: user_id, ageMs: age_ms };
  }

  async noteUse(accountId: AccountId, id: SessionId): Promise<void> {
    await this.sessions.update({ accountId, id }, { lastSeenAt: () => 'now()' });
  }

  async end(manager: EntityManager, accountId: AccountId, id: SessionId): Promise<void> {
    await manager.delete(SessionEntity, { accountId, id });
  }

  async endAll(manager: EntityManager, accountId: AccountId, userId: UserId): Promise<void> {
    await manager.delete(SessionEntity, { accountId, userId });
  }
}

interface VerificationRow extends Omit<StoredSession, 'accountId' | 'userId' | 'ageMs'> {
  readonly account_id: AccountId;
  readonly user_id: UserId;
  readonly age_ms: number;
}
