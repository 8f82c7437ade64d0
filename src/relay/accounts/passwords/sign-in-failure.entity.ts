import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Recent failed sign-ins, shared by all replicas. Deleted after a day. */
@Entity('sign_in_failure')
@Index('sign_in_failure_last', ['lastFailedAt'])
export class SignInFailureEntity {
  /** Digest of the counted subject, so that typed e-mail addresses are not stored. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'sign_in_failure_pk' })
  key: Buffer;

  @Column({ type: 'integer' })
  failures: number;

  @Column({ name: 'first_failed_at', type: 'timestamptz' })
  firstFailedAt: Date;

  @Column({ name: 'last_failed_at', type: 'timestamptz' })
  lastFailedAt: Date;
}
