import { Column, Entity, ForeignKey, Index, PrimaryColumn, type ColumnOptions } from 'typeorm';
import type { AccountId } from '../../kernel/ids.js';

const part = (name: string, type: 'text' | 'timestamptz' = 'text') =>
  ({ name, type, primaryKeyConstraintName: 'usage_hour_pk' }) as const;

/** Sums exceed 32 bits; `pg` returns them as text. */
const sum = (name: string): ColumnOptions => ({ name, type: 'bigint', default: 0 });

/** Sums of one hour per key, node, cluster, model and dialect. '' where a request had no node, cluster or model. */
@Entity('usage_hour')
@ForeignKey('account', ['accountId'], ['id'], { name: 'usage_hour_account_fk', onDelete: 'CASCADE' })
@Index('usage_hour_retention', ['hour'])
export class UsageHourEntity {
  @PrimaryColumn(part('account_id'))
  accountId: AccountId;

  /** The start of the hour. A request counts in the hour in which it started. */
  @PrimaryColumn(part('hour', 'timestamptz'))
  hour: Date;

  @PrimaryColumn(part('key_id'))
  keyId: string;

  @PrimaryColumn(part('node_id'))
  nodeId: string;

  @PrimaryColumn(part('cluster_id'))
  clusterId: string;

  @PrimaryColumn(part('model'))
  model: string;

  @PrimaryColumn(part('dialect'))
  dialect: string;

  @Column(sum('requests'))
  requests: string;

  @Column(sum('completed'))
  completed: string;

  @Column(sum('failed'))
  failed: string;

  @Column(sum('cancelled'))
  cancelled: string;

  @Column(sum('timed_out'))
  timedOut: string;

  @Column(sum('rejected'))
  rejected: string;

  @Column(sum('input_tokens'))
  inputTokens: string;

  @Column(sum('cached_tokens'))
  cachedTokens: string;

  @Column(sum('output_tokens'))
  outputTokens: string;

  @Column(sum('reasoning_tokens'))
  reasoningTokens: string;

  @Column(sum('estimated_requests'))
  estimatedRequests: string;
}
