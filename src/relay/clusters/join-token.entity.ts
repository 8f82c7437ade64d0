import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, ClusterId, JoinTokenId, NodeId, UserId } from '../../kernel/ids.js';

/** Enrols one node in one cluster (docs/reference/security.md#nodes). */
@Entity('join_token')
@ForeignKey('cluster', ['accountId', 'clusterId'], ['accountId', 'id'], {
  name: 'join_token_cluster_fk',
  onDelete: 'CASCADE',
})
@Index('join_token_hash_key', ['hash'], { unique: true })
export class JoinTokenEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'join_token_pk' })
  accountId: AccountId;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'join_token_pk' })
  id: JoinTokenId;

  @Column({ name: 'cluster_id', type: 'text' })
  clusterId: ClusterId;

  /** `credentialDigest` of the token. */
  @Column({ type: 'bytea' })
  hash: Buffer;

  /** Null: the relay itself. No foreign key: a used one outlives the user. */
  @Column({ name: 'created_by', type: 'text', nullable: true })
  createdBy: UserId | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'used_at', type: 'timestamptz', nullable: true })
  usedAt: Date | null;

  /** The node that enrolled with this token. */
  @Column({ name: 'node_id', type: 'text', nullable: true })
  nodeId: NodeId | null;
}
