import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, ApiKeyId, ClusterId, UserId } from '../../kernel/ids.js';
import type { ApiKeyScope } from '../platform/access/caller.js';

@Entity('api_key')
@ForeignKey('account', ['accountId'], ['id'], { name: 'api_key_account_fk', onDelete: 'CASCADE' })
@Index('api_key_id_key', ['id'], { unique: true })
@Index('api_key_digest_key', ['digest'], { unique: true })
@Index('api_key_name_key', ['accountId', 'name'], { unique: true, where: 'revoked_at IS NULL' })
export class ApiKeyEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'api_key_pk' })
  accountId: AccountId;

  /** The public part of the key; also unique alone, because a credential is looked up before its account is known. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'api_key_pk' })
  id: ApiKeyId;

  /** `credentialDigest` of the key, which is not stored. */
  @Column({ type: 'bytea' })
  digest: Buffer;

  @Column({ type: 'text' })
  name: string;

  /** The description is only shown to people; null: none. */
  @Column({ type: 'text', nullable: true })
  description: string | null;

  @Column({ type: 'text' })
  last4: string;

  @Column({ type: 'text', array: true })
  scopes: ApiKeyScope[];

  /** Null: every cluster of the account. */
  @Column({ name: 'cluster_ids', type: 'text', array: true, nullable: true })
  clusterIds: ClusterId[] | null;

  /** Null here and below: no limit. */
  @Column({ name: 'requests_per_minute', type: 'integer', nullable: true })
  requestsPerMinute: number | null;

  @Column({ name: 'tokens_per_minute', type: 'integer', nullable: true })
  tokensPerMinute: number | null;

  @Column({ type: 'integer', nullable: true })
  concurrency: number | null;

  /** Null: the key belongs to the account. */
  @Column({ name: 'created_by', type: 'text', nullable: true })
  createdBy: UserId | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt: Date | null;

  /** A successor took its place, so that its end is intended. */
  @Column({ name: 'rolled_at', type: 'timestamptz', nullable: true })
  rolledAt: Date | null;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt: Date | null;

  /** Accurate to a minute, and may be lost: written in batches beside the request path. */
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt: Date | null;
}
