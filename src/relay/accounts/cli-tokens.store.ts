import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import type { AccountId, CliTokenId } from '../../kernel/ids.js';
import { CliTokenEntity } from './cli-token.entity.js';

export interface NewCliToken {
  readonly id: CliTokenId;
  readonly digest: Buffer;
  readonly name: string;
  readonly last4: string;
}

export interface StoredCliToken {
  readonly accountId: AccountId;
  readonly id: CliTokenId;
  readonly name: string;
  readonly digest: Buffer;
  /** Neither revoked nor, by the clock of the database, expired. */
  readonly active: boolean;
}

@Injectable()
export class CliTokensStore {
  constructor(@InjectRepository(CliTokenEntity) private readonly tokens: Repository<CliTokenEntity>) {}

  async insert(accountId: AccountId, { id, digest, name, last4 }: NewCliToken): Promise<void> {
    await this.tokens.insert({ accountId, id, digest, name, last4 });
  }

  async revokeByName(accountId: AccountId, name: string): Promise<void> {
    await this.tokens.update({ accountId, name, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
  }

  /** The one look-up without an account: the credential is what tells the account. */
  async findForVerification(id: CliTokenId): Promise<StoredCliToken | undefined> {
    const rows = await this.tokens.query<VerificationRow[]>(
      `SELECT account_id, id, name, digest, revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) AS active
       FROM cli_token WHERE id = $1`,
      [id],
    );
    const row = rows[0];
    return row && { accountId: row.account_id, id: row.id, name: row.name, digest: row.digest, active: row.active };
  }
}

interface VerificationRow extends Omit<StoredCliToken, 'accountId'> {
  readonly account_id: AccountId;
}
