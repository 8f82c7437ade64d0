import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, NodeId } from '../../../kernel/ids.js';

/** Load and memory of a node in one minute. Without a row the node was offline. */
@Entity('node_sample')
@ForeignKey('node', ['accountId', 'nodeId'], ['accountId', 'id'], { name: 'node_sample_node_fk', onDelete: 'CASCADE' })
@Index('node_sample_at', ['at'])
export class NodeSampleEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'node_sample_pk' })
  accountId: AccountId;

  @PrimaryColumn({ name: 'node_id', type: 'text', primaryKeyConstraintName: 'node_sample_pk' })
  nodeId: NodeId;

  /** Beginning of the minute, by the clock of the database. */
  @PrimaryColumn({ type: 'timestamptz', primaryKeyConstraintName: 'node_sample_pk' })
  at: Date;

  /** Mean of the minute, of all engines together. */
  @Column({ name: 'slots_used', type: 'real' })
  slotsUsed: number;

  @Column({ name: 'slots_total', type: 'integer' })
  slotsTotal: number;

  /** null here and below: not reported. `pg` returns bigints as text. */
  @Column({ name: 'memory_used_bytes', type: 'bigint', nullable: true })
  memoryUsedBytes: string | null;

  @Column({ name: 'memory_total_bytes', type: 'bigint', nullable: true })
  memoryTotalBytes: string | null;

  /** Of all graphics processors with memory of their own. */
  @Column({ name: 'gpu_used_bytes', type: 'bigint', nullable: true })
  gpuUsedBytes: string | null;

  @Column({ name: 'gpu_total_bytes', type: 'bigint', nullable: true })
  gpuTotalBytes: string | null;
}
