import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Dialect } from '../../kernel/dialect.js';
import type { AccountId, ApiKeyId, ClusterId, ModelSelector, NodeId, RequestId } from '../../kernel/ids.js';
import type { RequestOutcome } from '../platform/http/request-context.js';
import type { TokenSource } from './metered-tokens.js';

/**
 * One row per finished request: metadata, nothing of the prompt or the response (docs/reference/security.md#logs). Outlives the objects
 * that its ids name. Without a foreign key, which would look up the account of each row: metering checks those of a batch.
 */
@Entity('request_log')
@Index('request_log_started', ['accountId', 'startedAt', 'id'])
@Index('request_log_failed', ['accountId', 'startedAt', 'code'], { where: 'code IS NOT NULL' })
export class RequestLogEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'request_log_pk' })
  accountId: AccountId;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'request_log_pk' })
  id: RequestId;

  @Column({ name: 'started_at', type: 'timestamptz' })
  startedAt: Date;

  @Column({ name: 'key_id', type: 'text' })
  keyId: ApiKeyId;

  @Column({ name: 'node_id', type: 'text', nullable: true })
  nodeId: NodeId | null;

  @Column({ name: 'cluster_id', type: 'text', nullable: true })
  clusterId: ClusterId | null;

  @Column({ type: 'text', nullable: true })
  model: ModelSelector | null;

  @Column({ name: 'model_name', type: 'text', nullable: true })
  modelName: string | null;

  /** As the client named it, also when no node has such a model. Shortened. null: logged by an earlier version. */
  @Column({ name: 'requested_model', type: 'text', nullable: true })
  requestedModel: string | null;

  @Column({ type: 'text' })
  dialect: Dialect;

  @Column({ type: 'boolean' })
  stream: boolean;

  @Column({ type: 'text' })
  outcome: RequestOutcome;

  @Column({ type: 'text', nullable: true })
  code: string | null;

  /** The error as the client got it, which may be the engine's own words. Shortened. */
  @Column({ type: 'text', nullable: true })
  message: string | null;

  @Column({ type: 'integer' })
  attempts: number;

  @Column({ type: 'boolean' })
  retried: boolean;

  @Column({ name: 'input_tokens', type: 'integer' })
  inputTokens: number;

  /** They are part of the input. */
  @Column({ name: 'cached_tokens', type: 'integer' })
  cachedTokens: number;

  @Column({ name: 'output_tokens', type: 'integer' })
  outputTokens: number;

  /** They are part of the output. */
  @Column({ name: 'reasoning_tokens', type: 'integer' })
  reasoningTokens: number;

  @Column({ type: 'text', nullable: true })
  source: TokenSource;

  @Column({ name: 'queue_ms', type: 'integer' })
  queueMs: number;

  /** Of a stream: a whole response has no first token of its own. */
  @Column({ name: 'ttft_ms', type: 'integer', nullable: true })
  ttftMs: number | null;

  @Column({ name: 'duration_ms', type: 'integer' })
  durationMs: number;
}
