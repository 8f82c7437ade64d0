import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AccountId } from '../../kernel/ids.js';

/** The tenant: owns everything else (docs/reference/data.md#terms). */
@Entity('account')
export class AccountEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'account_pk' })
  id: AccountId;

  @Column({ type: 'text' })
  name: string;

  /** By the name of an extension of the public API: whether the owner has switched it on or off. Absent: not chosen. */
  @Column({ type: 'jsonb', default: {} })
  extensions: Readonly<Record<string, boolean>>;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
