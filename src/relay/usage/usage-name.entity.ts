import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId } from '../../kernel/ids.js';

/** Last known names of the objects that usage is grouped by, for those that are deleted. */
@Entity('usage_name')
@ForeignKey('account', ['accountId'], ['id'], { name: 'usage_name_account_fk', onDelete: 'CASCADE' })
@Index('usage_name_retention', ['seenAt'])
export class UsageNameEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'usage_name_pk' })
  accountId: AccountId;

  /** `key`, `node`, `cluster` or `model`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'usage_name_pk' })
  kind: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'usage_name_pk' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** Accurate to a day. */
  @Column({ name: 'seen_at', type: 'timestamptz' })
  seenAt: Date;
}
