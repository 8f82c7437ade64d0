import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, UserId } from '../../../kernel/ids.js';
import type { Role } from '../../platform/access/principal.js';

export type DeviceLoginState = 'pending' | 'approved' | 'denied';

/** A pending device login of a command line (RFC 8628). Has no account until it is decided; deleted once its token is issued. */
@Entity('device_login')
@ForeignKey('account', ['accountId'], ['id'], { name: 'device_login_account_fk', onDelete: 'CASCADE' })
@ForeignKey('user', ['accountId', 'userId'], ['accountId', 'id'], { name: 'device_login_user_fk', onDelete: 'CASCADE' })
@Index('device_login_code_key', ['userCode'], { unique: true })
@Index('device_login_expires', ['expiresAt'])
@Check('device_login_state_check', `state IN ('pending', 'approved', 'denied')`)
export class DeviceLoginEntity {
  /** Public part of the device code. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'device_login_pk' })
  id: string;

  /** `credentialDigest` of the device code. */
  @Column({ type: 'bytea' })
  digest: Buffer;

  /** Eight consonants, without the dash. */
  @Column({ name: 'user_code', type: 'text' })
  userCode: string;

  @Column({ type: 'text' })
  state: DeviceLoginState;

  /** The command line chose this name; the approver sees it together with the address. */
  @Column({ name: 'client_name', type: 'text' })
  clientName: string;

  @Column({ name: 'client_address', type: 'text', nullable: true })
  clientAddress: string | null;

  /** Refused approvals, see `TRIES_PER_CODE`. */
  @Column({ name: 'failed_tries', type: 'integer', default: 0 })
  failedTries: number;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'asked_at', type: 'timestamptz', nullable: true })
  askedAt: Date | null;

  @Column({ name: 'account_id', type: 'text', nullable: true })
  accountId: AccountId | null;

  @Column({ name: 'user_id', type: 'text', nullable: true })
  userId: UserId | null;

  @Column({ type: 'text', nullable: true })
  role: Role | null;
}
