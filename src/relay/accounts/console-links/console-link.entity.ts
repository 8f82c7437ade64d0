import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, CliTokenId, ConsoleLinkId } from '../../../kernel/ids.js';

/** A link that signs the owner of the account in on the website, once. Kept until it expires, so that a second use can be told apart. */
@Entity('console_link')
@ForeignKey('account', ['accountId'], ['id'], { name: 'console_link_account_fk', onDelete: 'CASCADE' })
@ForeignKey('cli_token', ['accountId', 'tokenId'], ['accountId', 'id'], {
  name: 'console_link_token_fk',
  onDelete: 'CASCADE',
})
@Index('console_link_id_key', ['id'], { unique: true })
export class ConsoleLinkEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'console_link_pk' })
  accountId: AccountId;

  /** The public part of the token; unique alone, because a link is looked up before its account is known. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'console_link_pk' })
  id: ConsoleLinkId;

  /** `credentialDigest` of the token in the link, which is not stored. */
  @Column({ type: 'bytea' })
  digest: Buffer;

  /** The relay's token that made the link, which ends with it. */
  @Column({ name: 'token_id', type: 'text' })
  tokenId: CliTokenId;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'used_at', type: 'timestamptz', nullable: true })
  usedAt: Date | null;
}
