import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AccountId } from '../../kernel/ids.js';

/** The tenant: owns everything else (docs/reference/data.md#terms). */
@Entity('account')
export class AccountEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'account_pk' })
  id: AccountId;

  @Column({ type: 'text' })
  name: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
