import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, NodeId } from '../../../kernel/ids.js';

/**
 * A computer without a browser that asks to become somebody's node (docs/reference/security.md#nodes). It belongs to nobody until it is
 * approved.
 */
@Entity('device_code')
@Index('device_code_user_code_key', ['userCode'], { unique: true })
@Index('device_code_expires_at', ['expiresAt'])
export class DeviceCodeEntity {
  /** SHA-256 of the secret that the computer polls with. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'device_code_pk' })
  hash: Buffer;

  /** A person types it; the hyphen is left out. */
  @Column({ name: 'user_code', type: 'text' })
  userCode: string;

  /** Raw ed25519 key, 32 bytes. */
  @Column({ name: 'public_key', type: 'bytea' })
  publicKey: Buffer;

  @Column({ name: 'node_name', type: 'text' })
  nodeName: string;

  @Column({ type: 'text' })
  platform: string;

  @Column({ name: 'agent_version', type: 'text' })
  agentVersion: string;

  @Column({ type: 'text' })
  ip: string;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  /** How often somebody has looked the code up. */
  @Column({ type: 'integer', default: 0 })
  tries: number;

  /** Null until it is approved. */
  @Column({ name: 'account_id', type: 'text', nullable: true })
  accountId: AccountId | null;

  @Column({ name: 'node_id', type: 'text', nullable: true })
  nodeId: NodeId | null;
}
