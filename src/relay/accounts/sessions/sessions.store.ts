import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import type { AccountId, SessionId, UserId } from '../../../kernel/ids.js';
import type { ClientOrigin } from '../../platform/http/client-origin.js';
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
  /** Counts from the sign-in. */
  readonly ageMs: number;
}

/** Its own user sees these fields. */
export interface ListedSession {
  readonly id: SessionId;
  readonly createdAt: Date;
  /** Accurate to a minute. */
  readonly lastSeenAt: Date;
  /** Address at the sign-in; null when it is not known. */
  readonly ip: string | null;
  readonly userAgent: string | null;
}

export interface NewSession {
  readonly id: SessionId;
  readonly userId: UserId;
  readonly digest: Buffer;
  readonly origin: ClientOrigin;
}

const RECORD_EVERY = `interval '1 minute'`;
/** Sessions per user; a new one ends the oldest. */
const SESSIONS_PER_USER = 50;

/** All times are those of the database's clock. */
@Injectable()
export class SessionsStore {
  constructor(@InjectRepository(SessionEntity) private readonly sessions: Repository<SessionEntity>) {}

  async insert(manager: EntityManager, accountId: AccountId, session: NewSession): Promise<void> {
    const { id, userId, digest, origin } = session;
    await manager.insert(SessionEntity, { accountId, id, userId, digest, ip: origin.ip, userAgent: origin.userAgent });
    await manager.query(
      `DELETE FROM session WHERE account_id = $1 AND user_id = $2 AND id IN (
         SELECT id FROM session WHERE account_id = $1 AND user_id = $2
         ORDER BY last_seen_at DESC, created_at DESC OFFSET ${String(SESSIONS_PER_USER)})`,
      [accountId, userId],
    );
  }

  /** The query is not scoped by account, because the credential identifies it. */
  async findForVerification(
    id: SessionId,
    { idleMs, lifetimeMs }: SessionLimits,
    manager: EntityManager = this.sessions.manager,
  ): Promise<StoredSession | undefined> {
    const [row] = await manager.query<VerificationRow[]>(
      `SELECT s.account_id, s.id, s.user_id, s.digest, u.role, u.email,
              u.disabled_at IS NULL AND s.last_seen_at > now() - $2 * interval '1 millisecond'
                AND s.created_at > now() - $3 * interval '1 millisecond' AS active,
              s.last_seen_at < now() - ${RECORD_EVERY} AS unnoted,
              (extract(epoch FROM now() - s.created_at) * 1000)::float8 AS age_ms
       FROM session s JOIN "user" u ON u.account_id = s.account_id AND u.id = s.user_id
       WHERE s.id = $1`,
      [id, idleMs, lifetimeMs],
    );
    if (row === undefined) return undefined;
    const { account_id, user_id, age_ms, ...rest } = row;
    return { ...rest, accountId: account_id, userId: user_id, ageMs: age_ms };
  }

  /** Sessions that are still active, the one used last first. */
  async list(accountId: AccountId, userId: UserId, { idleMs, lifetimeMs }: SessionLimits): Promise<ListedSession[]> {
    const rows = await this.sessions.query<ListedRow[]>(
      `SELECT id, created_at, last_seen_at, ip, user_agent FROM session
       WHERE account_id = $1 AND user_id = $2 AND last_seen_at > now() - $3 * interval '1 millisecond'
         AND created_at > now() - $4 * interval '1 millisecond'
       ORDER BY last_seen_at DESC, id LIMIT ${String(SESSIONS_PER_USER)}`,
      [accountId, userId, idleMs, lifetimeMs],
    );
    return rows.map(({ id, created_at, last_seen_at, ip, user_agent }) => ({
      id,
      createdAt: created_at,
      lastSeenAt: last_seen_at,
      ip,
      userAgent: user_agent,
    }));
  }

  /** @returns whether this user had such a session */
  async endOf(manager: EntityManager, accountId: AccountId, userId: UserId, id: SessionId): Promise<boolean> {
    return ((await manager.delete(SessionEntity, { accountId, userId, id })).affected ?? 0) > 0;
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

interface ListedRow {
  readonly id: SessionId;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly ip: string | null;
  readonly user_agent: string | null;
}

interface VerificationRow extends Omit<StoredSession, 'accountId' | 'userId' | 'ageMs'> {
  readonly account_id: AccountId;
  readonly user_id: UserId;
  readonly age_ms: number;
}
