import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { AccountId } from '../../../kernel/ids.js';

/** Somebody who was removed from the account and is not admitted again without an invite. */
@Entity('removed_person')
@ForeignKey('account', ['accountId'], ['id'], { name: 'removed_person_account_fk', onDelete: 'CASCADE' })
export class RemovedPersonEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'removed_person_pk' })
  accountId: AccountId;

  /** Digest of the e-mail address, or of the identity at the OpenID provider: neither is stored. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'removed_person_pk' })
  digest: Buffer;

  @Column({ name: 'removed_at', type: 'timestamptz', default: () => 'now()' })
  removedAt: Date;
}
