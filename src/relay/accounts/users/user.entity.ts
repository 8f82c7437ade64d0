import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, UserId } from '../../../kernel/ids.js';
import { ROLE_CHECK, type Role } from '../../platform/access/principal.js';

/** A person of one account. */
@Entity('user')
@ForeignKey('account', ['accountId'], ['id'], { name: 'user_account_fk', onDelete: 'CASCADE' })
@Index('user_email_key', ['email'], { unique: true })
@Index('user_oidc_key', ['oidcIssuer', 'oidcSubject'], { unique: true })
@Check('user_email_check', 'email = lower(email)')
@Check('user_role_check', ROLE_CHECK)
export class UserEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'user_pk' })
  accountId: AccountId;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'user_pk' })
  id: UserId;

  /** Normalised by `normalEmail`. Unique over all accounts, because a sign-in looks it up before the account is known. */
  @Column({ type: 'text' })
  email: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  role: Role;

  /** PHC string of argon2id; null: sign-in through the OpenID provider only. */
  @Column({ name: 'password_hash', type: 'text', nullable: true })
  passwordHash: string | null;

  /** Set for a temporary password: the user must choose another one before then. */
  @Column({ name: 'password_expires_at', type: 'timestamptz', nullable: true })
  passwordExpiresAt: Date | null;

  @Column({ name: 'oidc_issuer', type: 'text', nullable: true })
  oidcIssuer: string | null;

  @Column({ name: 'oidc_subject', type: 'text', nullable: true })
  oidcSubject: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ name: 'last_sign_in_at', type: 'timestamptz', nullable: true })
  lastSignInAt: Date | null;

  @Column({ name: 'disabled_at', type: 'timestamptz', nullable: true })
  disabledAt: Date | null;
}
