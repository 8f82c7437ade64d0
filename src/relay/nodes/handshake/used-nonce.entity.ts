import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Nonces that opened a link. The key makes a replayed handshake fail on every replica (docs/reference/security.md#nodes); rows go when
 * their nonce has expired.
 */
@Entity('used_nonce')
@Index('used_nonce_used_at', ['usedAt'])
export class UsedNonceEntity {
  /** SHA-256 of the nonce. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'used_nonce_pk' })
  hash: Buffer;

  @Column({ name: 'used_at', type: 'timestamptz', default: () => 'now()' })
  usedAt: Date;
}
