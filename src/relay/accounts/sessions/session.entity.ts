import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, SessionId, UserId } from '../../../kernel/ids.js';

/** A browser session (docs/reference/security.md#people). */
@Entity('session')
@ForeignKey('user', ['accountId', 'userId'], ['accountId', 'id'], { name: 'session_user_fk', onDelete: 'CASCADE' })
@Index('session_id_key', ['id'], { unique: true })
@Index('session_by_user', ['accountId', 'userId'])
export class SessionEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'session_pk' })
  accountId: AccountId;

  /** The public part of the cookie's value; unique alone, because a session is looked up before its account is known. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'session_pk' })
  id: SessionId;

  @Column({ name: 'user_id', type: 'text' })
  userId: UserId;

  /** `credentialDigest` of the cookie's value, which is not stored. */
  @Column({ type: 'bytea' })
  digest: Buffer;

  /** The time of the sign-in. */
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  /** Accurate to a minute. */
  @Column({ name: 'last_seen_at', type: 'timestamptz', default: () => 'now()' })
  lastSeenAt: Date;

  /** Address at the sign-in. Null for sessions from before it was recorded. */
  @Column({ type: 'text', nullable: true })
  ip: string | null;

  /** Recorded at the sign-in, bounded in length. */
  @Column({ name: 'user_agent', type: 'text', nullable: true })
  userAgent: string | null;
}
