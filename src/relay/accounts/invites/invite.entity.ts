import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, InviteId, UserId } from '../../../kernel/ids.js';
import { ROLE_CHECK, type Role } from '../../platform/access/principal.js';

/** Admits one user to the account, once. No mail is sent: its creator hands the link over. */
@Entity('invite')
@ForeignKey('account', ['accountId'], ['id'], { name: 'invite_account_fk', onDelete: 'CASCADE' })
@Index('invite_id_key', ['id'], { unique: true })
@Check('invite_role_check', ROLE_CHECK)
export class InviteEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'invite_pk' })
  accountId: AccountId;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'invite_pk' })
  id: InviteId;

  /** `credentialDigest` of the token in the link. */
  @Column({ type: 'bytea' })
  digest: Buffer;

  @Column({ type: 'text' })
  role: Role;

  /** Null: the relay itself. No foreign key: a used one outlives the user. */
  @Column({ name: 'created_by', type: 'text', nullable: true })
  createdBy: UserId | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'used_at', type: 'timestamptz', nullable: true })
  usedAt: Date | null;
}
