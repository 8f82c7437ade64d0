import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { AccountId } from '../../../../kernel/ids.js';

/** A management request with an `Idempotency-Key`. Only digests of the key and the parameters are stored. */
@Entity('idempotent_request')
@Index('idempotent_request_retention', ['createdAt'])
export class IdempotentRequestEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'idempotent_request_pk' })
  accountId: AccountId;

  // By table name: this layer is below the accounts.
  @ManyToOne('account', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'idempotent_request_account_fk' })
  account?: unknown;

  @PrimaryColumn({ name: 'key_digest', type: 'bytea', primaryKeyConstraintName: 'idempotent_request_pk' })
  keyDigest: Buffer;

  @Column({ name: 'parameters_digest', type: 'bytea' })
  parametersDigest: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  /** null until the request has changed something or ended, and for ever when the process ended first. 0: its change is committed. */
  @Column({ type: 'integer', nullable: true })
  status: number | null;

  /** Until the request has ended the random id of its attempt. Then encrypted; null when it cannot be replayed. */
  @Column({ type: 'bytea', nullable: true })
  answer: Buffer | null;
}
