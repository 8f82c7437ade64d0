import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, CliTokenId } from '../../kernel/ids.js';

/** What signs a command line in to the management API. It never opens an inference route (design §4). */
@Entity('cli_token')
@ForeignKey('account', ['accountId'], ['id'], { name: 'cli_token_account_fk', onDelete: 'CASCADE' })
@Index('cli_token_id_key', ['id'], { unique: true })
@Index('cli_token_digest_key', ['digest'], { unique: true })
export class CliTokenEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'cli_token_pk' })
  accountId: AccountId;

  /** The public part of the token; also unique alone, because a credential is looked up before its account is known. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'cli_token_pk' })
  id: CliTokenId;

  /** `credentialDigest` of the token. The token itself is never stored. */
  @Column({ type: 'bytea' })
  digest: Buffer;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  last4: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt: Date | null;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt: Date | null;
}
