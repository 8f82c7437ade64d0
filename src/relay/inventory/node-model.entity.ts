import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, ModelSelector, NodeId } from '../../kernel/ids.js';

/**
 * A model of a node as of its last report, so that public ids do not change while it is offline
 * (docs/reference/inventory.md#model-reports).
 */
@Entity('node_model')
@ForeignKey('node', ['accountId', 'nodeId'], ['accountId', 'id'], { name: 'node_model_node_fk', onDelete: 'CASCADE' })
@ForeignKey('model', ['accountId', 'selector'], ['accountId', 'selector'], { name: 'node_model_model_fk' })
@Index('node_model_selector', ['accountId', 'selector'])
export class NodeModelEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'node_model_pk' })
  accountId: AccountId;

  @PrimaryColumn({ name: 'node_id', type: 'text', primaryKeyConstraintName: 'node_model_pk' })
  nodeId: NodeId;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'node_model_pk' })
  selector: ModelSelector;

  @Column({ name: 'display_name', type: 'text' })
  displayName: string;

  @Column({ name: 'canonical_name', type: 'text' })
  canonicalName: string;
}
