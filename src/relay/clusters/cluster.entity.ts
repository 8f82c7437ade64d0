import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, ClusterId } from '../../kernel/ids.js';

@Entity('cluster')
@ForeignKey('account', ['accountId'], ['id'], { name: 'cluster_account_fk', onDelete: 'CASCADE' })
@Index('cluster_name_key', ['accountId', 'name'], { unique: true })
export class ClusterEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'cluster_pk' })
  accountId: AccountId;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'cluster_pk' })
  id: ClusterId;

  @Column({ type: 'text' })
  name: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
