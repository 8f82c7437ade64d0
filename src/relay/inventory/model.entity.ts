import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { AccountId, ModelSelector } from '../../kernel/ids.js';

/** When an account first had a model: `created` in the inventory. Kept after the last node has removed it. */
@Entity('model')
@ForeignKey('account', ['accountId'], ['id'], { name: 'model_account_fk', onDelete: 'CASCADE' })
export class ModelEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'model_pk' })
  accountId: AccountId;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'model_pk' })
  selector: ModelSelector;

  @Column({ name: 'first_seen', type: 'timestamptz' })
  firstSeen: Date;
}
