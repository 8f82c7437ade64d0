import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, NodeId } from '../../../kernel/ids.js';
import type { ModelRates } from '../prediction/model-stats.js';

/** The learned speed of a model on a node. The newest observation counts, whichever relay made it. */
@Entity('learned_rate')
@ForeignKey('node', ['accountId', 'nodeId'], ['accountId', 'id'], { name: 'learned_rate_node_fk', onDelete: 'CASCADE' })
@Index('learned_rate_observed', ['observedAt'])
export class LearnedRateEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'learned_rate_pk' })
  accountId: AccountId;

  @PrimaryColumn({ name: 'node_id', type: 'text', primaryKeyConstraintName: 'learned_rate_pk' })
  nodeId: NodeId;

  /** `ModelReport.key`. */
  @PrimaryColumn({ name: 'model_key', type: 'text', primaryKeyConstraintName: 'learned_rate_pk' })
  modelKey: string;

  @Column({ type: 'jsonb' })
  rates: ModelRates;

  /** Measured by the clock of the database. */
  @Column({ name: 'observed_at', type: 'timestamptz' })
  observedAt: Date;
}
