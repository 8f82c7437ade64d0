import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import type { AccountId, CliTokenId, ConsoleLinkId } from '../../../kernel/ids.js';
import { ConsoleLinkEntity } from './console-link.entity.js';

export interface NewConsoleLink {
  readonly id: ConsoleLinkId;
  /** The relay's token that makes it. */
  readonly tokenId: CliTokenId;
  readonly digest: Buffer;
  readonly lifetimeMs: number;
}

export interface StoredConsoleLink {
  readonly accountId: AccountId;
  readonly digest: Buffer;
  readonly used: boolean;
}

/** Links that are kept per account; a new one ends the oldest. */
const LINKS_PER_ACCOUNT = 20;

/** All times are those of the database's clock. */
@Injectable()
export class ConsoleLinksStore {
  constructor(@InjectRepository(ConsoleLinkEntity) private readonly links: Repository<ConsoleLinkEntity>) {}

  /** Deletes expired links, too. @returns when it expires */
  async insert(manager: EntityManager, accountId: AccountId, link: NewConsoleLink): Promise<Date> {
    const { id, tokenId, digest, lifetimeMs } = link;
    await manager.query('DELETE FROM console_link WHERE account_id = $1 AND expires_at <= now()', [accountId]);
    await manager.query(
      `DELETE FROM console_link WHERE account_id = $1 AND id IN (
         SELECT id FROM console_link WHERE account_id = $1 ORDER BY created_at DESC OFFSET ${LINKS_PER_ACCOUNT - 1})`,
      [accountId],
    );
    await manager.query(
      `INSERT INTO console_link (account_id, id, digest, expires_at, token_id)
       VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond', $5)`,
      [accountId, id, digest, lifetimeMs, tokenId],
    );
    return (await manager.findOneByOrFail(ConsoleLinkEntity, { accountId, id })).expiresAt;
  }

  /** Not scoped by account: the token identifies it. Undefined when it is unknown, expired, or the token that made it is revoked. */
  async find(id: ConsoleLinkId): Promise<StoredConsoleLink | undefined> {
    const [row] = await this.links.query<FoundRow[]>(
      `SELECT account_id, digest, used_at IS NOT NULL AS used FROM console_link WHERE id = $1 AND ${OPEN}`,
      [id],
    );
    return row && { accountId: row.account_id, digest: row.digest, used: row.used };
  }

  /** One statement, so that a link is used once. @returns whether it was this time */
  async use(manager: EntityManager, accountId: AccountId, id: ConsoleLinkId): Promise<boolean> {
    const [rows] = await manager.query<[unknown[], number]>(
      `UPDATE console_link SET used_at = now() WHERE account_id = $1 AND id = $2 AND used_at IS NULL AND ${OPEN} RETURNING 1`,
      [accountId, id],
    );
    return rows.length > 0;
  }
}

const OPEN = `expires_at > now() AND EXISTS (
  SELECT 1 FROM cli_token t
  WHERE t.account_id = console_link.account_id AND t.id = console_link.token_id AND t.bootstrap AND t.revoked_at IS NULL)`;

interface FoundRow {
  readonly account_id: AccountId;
  readonly digest: Buffer;
  readonly used: boolean;
}
