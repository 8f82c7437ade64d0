import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, type ValueTransformer } from 'typeorm';
import type { AccountId, CliTokenId, NodeId, OperationId, SessionId } from '../../kernel/ids.js';
import type { OperationKind } from '../../link/messages.js';
import type { FailureCode, OperationState } from './operation.js';

/** `pg` returns bigints as text; byte counts stay below 2^53. */
const bytes: ValueTransformer = {
  from: (stored: string | null) => (stored === null ? null : Number(stored)),
  to: (value: number | null) => value,
};

/** The last known state of an operation; see `Operation`. */
@Entity('operation')
@ForeignKey('account', ['accountId'], ['id'], { name: 'operation_account_fk', onDelete: 'CASCADE' })
@ForeignKey('node', ['accountId', 'nodeId'], ['accountId', 'id'], { name: 'operation_node_fk', onDelete: 'CASCADE' })
@Check('operation_kind_check', `kind IN ('install', 'load', 'unload', 'remove')`)
@Check('operation_state_check', `state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')`)
@Index('operation_live_key', ['accountId', 'nodeId', 'subject'], {
  unique: true,
  where: `state IN ('queued', 'running')`,
})
@Index('operation_created', ['accountId', 'createdAt', 'id'])
@Index('operation_changed', ['changedAt'])
export class OperationEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'operation_pk' })
  accountId: AccountId;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'operation_pk' })
  id: OperationId;

  @Column({ name: 'node_id', type: 'text' })
  nodeId: NodeId;

  @Column({ name: 'node_name', type: 'text' })
  nodeName: string;

  @Column({ type: 'text' })
  kind: OperationKind;

  /** The model's key on the node, or the source of an install. */
  @Column({ type: 'text' })
  subject: string;

  @Column({ type: 'text', nullable: true })
  engine: string | null;

  @Column({ name: 'model_key', type: 'text', nullable: true })
  modelKey: string | null;

  @Column({ type: 'text', nullable: true })
  model: string | null;

  @Column({ type: 'text', nullable: true })
  source: string | null;

  @Column({ name: 'load_after', type: 'boolean', default: false })
  loadAfter: boolean;

  @Column({ name: 'context_tokens', type: 'integer', nullable: true })
  contextTokens: number | null;

  @Column({ type: 'text' })
  state: OperationState;

  @Column({ type: 'text', nullable: true })
  phase: string | null;

  /** About two seconds old while the operation runs: progress is written in batches. */
  @Column({ name: 'completed_bytes', type: 'bigint', nullable: true, transformer: bytes })
  completedBytes: number | null;

  @Column({ name: 'total_bytes', type: 'bigint', nullable: true, transformer: bytes })
  totalBytes: number | null;

  @Column({ name: 'failure_code', type: 'text', nullable: true })
  failureCode: FailureCode | null;

  @Column({ name: 'failure_message', type: 'text', nullable: true })
  failureMessage: string | null;

  @Column({ name: 'cancel_requested', type: 'boolean', default: false })
  cancelRequested: boolean;

  /** The credential of the request. */
  @Column({ name: 'created_by', type: 'text', nullable: true })
  createdBy: CliTokenId | SessionId | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  finishedAt: Date | null;

  /** Of a failed one. */
  @Column({ name: 'dismissed_at', type: 'timestamptz', nullable: true })
  dismissedAt: Date | null;

  /** Raised by every change: a relay stores its own only on the version that it has seen. */
  @Column({ type: 'integer', default: 1 })
  version: number;

  /** By the clock of the database; for relays that look for changes. `updatedAt` is that of a relay, and shown. */
  @Column({ name: 'changed_at', type: 'timestamptz', default: () => 'now()' })
  changedAt: Date;
}
