import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, ClusterId, NodeId } from '../../kernel/ids.js';
import type { NodeState } from './handshake/node-authenticator.js';

@Entity('node')
@ForeignKey('account', ['accountId'], ['id'], { name: 'node_account_fk', onDelete: 'CASCADE' })
@ForeignKey('cluster', ['accountId', 'clusterId'], ['accountId', 'id'], { name: 'node_cluster_fk' })
@Index('node_id_key', ['id'], { unique: true })
@Check('node_state_check', `state IN ('pending', 'active', 'revoked')`)
export class NodeEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'node_pk' })
  accountId: AccountId;

  /** Unique alone, too, because a link is authenticated before its account is known. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'node_pk' })
  id: NodeId;

  @Column({ name: 'cluster_id', type: 'text' })
  clusterId: ClusterId;

  @Column({ type: 'text' })
  name: string;

  /** Raw ed25519 key, 32 bytes. */
  @Column({ name: 'public_key', type: 'bytea' })
  publicKey: Buffer;

  @Column({ type: 'text' })
  state: NodeState;

  /** Stays connected and gets no requests, until its owner says otherwise. */
  @Column({ type: 'boolean', default: false })
  paused: boolean;

  /** null: none. */
  @Column({ type: 'text', nullable: true })
  note: string | null;

  @Column({ type: 'text', array: true, default: '{}' })
  tags: string[];

  /** Wrong fingerprints while it was pending. */
  @Column({ name: 'confirmation_tries', type: 'integer', default: 0 })
  confirmationTries: number;

  /** Belongs to the newest agent process (docs/reference/link.md#superseding). */
  @Column({ type: 'bigint', default: 0 })
  epoch: string;

  @Column({ type: 'text' })
  platform: string;

  @Column({ name: 'agent_version', type: 'text' })
  agentVersion: string;

  /** About a minute exact while the node is online: it is written in batches beside the link. */
  @Column({ name: 'last_seen_at', type: 'timestamptz', nullable: true })
  lastSeenAt: Date | null;

  /** When it said that it leaves, and did. Null: it was lost, or has been connected since. */
  @Column({ name: 'stopped_at', type: 'timestamptz', nullable: true })
  stoppedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
