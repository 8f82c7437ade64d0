import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { AccountId } from '../../../kernel/ids.js';

/** A management request that brought an `Idempotency-Key`. Neither the key nor the parameters are kept, only what recognises them. */
@Entity('idempotent_request')
@Index('idempotent_request_retention', ['createdAt'])
export class IdempotentRequestEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'idempotent_request_pk' })
  accountId: AccountId;

  // By its table: this layer is below the accounts.
  @ManyToOne('account', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'idempotent_request_account_fk' })
  account?: unknown;

  @PrimaryColumn({ name: 'key_digest', type: 'bytea', primaryKeyConstraintName: 'idempotent_request_pk' })
  keyDigest: Buffer;

  @Column({ name: 'parameters_digest', type: 'bytea' })
  parametersDigest: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  /** null until the request was carried out, and for ever when nobody lived to say how it ended. */
  @Column({ type: 'integer', nullable: true })
  status: number | null;

  /** Sealed; null when it cannot be given a second time. */
  @Column({ type: 'bytea', nullable: true })
  answer: Buffer | null;
}
