import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Raw, type EntityManager, type Repository } from 'typeorm';
import type { AccountId, ConsoleLinkId } from '../../../kernel/ids.js';
import { ConsoleLinkEntity } from './console-link.entity.js';

export interface NewConsoleLink {
  readonly id: ConsoleLinkId;
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

  /** Also deletes expired links. @returns when it expires */
  async insert(manager: EntityManager, accountId: AccountId, link: NewConsoleLink): Promise<Date> {
    const { id, digest, lifetimeMs } = link;
    await manager.query('DELETE FROM console_link WHERE account_id = $1 AND expires_at <= now()', [accountId]);
    await manager.query(
      `DELETE FROM console_link WHERE account_id = $1 AND id IN (
         SELECT id FROM console_link WHERE account_id = $1 ORDER BY created_at DESC OFFSET ${LINKS_PER_ACCOUNT - 1})`,
      [accountId],
    );
    await manager.query(
      `INSERT INTO console_link (account_id, id, digest, expires_at)
       VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond')`,
      [accountId, id, digest, lifetimeMs],
    );
    return (await manager.findOneByOrFail(ConsoleLinkEntity, { accountId, id })).expiresAt;
  }

  /** Not scoped by account: the token identifies it. Undefined when it is unknown or expired. */
  async find(id: ConsoleLinkId): Promise<StoredConsoleLink | undefined> {
    const row = await this.links.findOneBy({ id, expiresAt: Raw((column) => `${column} > now()`) });
    return row === null ? undefined : { accountId: row.accountId, digest: row.digest, used: row.usedAt !== null };
  }

  /** One statement, so that a link is used once. @returns whether it was this time */
  async use(manager: EntityManager, accountId: AccountId, id: ConsoleLinkId): Promise<boolean> {
    const result = await manager.update(
      ConsoleLinkEntity,
      { accountId, id, usedAt: IsNull(), expiresAt: Raw((column) => `${column} > now()`) },
      { usedAt: () => 'now()' },
    );
    return result.affected === 1;
  }
}
