import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, CliTokenId, UserId } from '../../kernel/ids.js';
import { ROLE_CHECK, type Role } from '../platform/access/principal.js';

/** Credential of a command line for the management API; refused on inference routes (docs/reference/api-behaviour.md#surfaces). */
@Entity('cli_token')
@ForeignKey('account', ['accountId'], ['id'], { name: 'cli_token_account_fk', onDelete: 'CASCADE' })
@ForeignKey('user', ['accountId', 'userId'], ['accountId', 'id'], { name: 'cli_token_user_fk', onDelete: 'CASCADE' })
@Index('cli_token_by_user', ['accountId', 'userId'])
@Check('cli_token_role_check', ROLE_CHECK)
@Check('cli_token_owner_check', `(user_id IS NULL) = bootstrap`)
@Index('cli_token_id_key', ['id'], { unique: true })
@Index('cli_token_digest_key', ['digest'], { unique: true })
export class CliTokenEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'cli_token_pk' })
  accountId: AccountId;

  /** The public part of the token; also unique alone, because a credential is looked up before its account is known. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'cli_token_pk' })
  id: CliTokenId;

  /** Null: the relay's own token. */
  @Column({ name: 'user_id', type: 'text', nullable: true })
  userId: UserId | null;

  /** The relay's own token, which `ferry up` keeps on the relay's computer: the only one without a user. */
  @Column({ type: 'boolean', default: false })
  bootstrap: boolean;

  /** Upper bound: the effective role is never above the user's current one. */
  @Column({ type: 'text', default: 'owner' })
  role: Role;

  /** `credentialDigest` of the token, which is not stored. */
  @Column({ type: 'bytea' })
  digest: Buffer;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  last4: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt: Date | null;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt: Date | null;
}
