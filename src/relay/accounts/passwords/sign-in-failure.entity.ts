import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Failed sign-ins of late, counted where every replica sees them. Forgotten after a day. */
@Entity('sign_in_failure')
@Index('sign_in_failure_last', ['lastFailedAt'])
export class SignInFailureEntity {
  /** Digest of what is counted: made-up addresses are neither stored nor recognisable. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'sign_in_failure_pk' })
  key: Buffer;

  @Column({ type: 'integer' })
  failures: number;

  @Column({ name: 'first_failed_at', type: 'timestamptz' })
  firstFailedAt: Date;

  @Column({ name: 'last_failed_at', type: 'timestamptz' })
  lastFailedAt: Date;
}
