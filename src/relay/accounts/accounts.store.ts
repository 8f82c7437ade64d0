import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { createAccountId, type AccountId } from '../../kernel/ids.js';
import { AccountEntity } from './account.entity.js';

/** What belongs together is done in one of these: stores take it, services hand it on from one store to the next, and to the audit trail. */
export type Transaction = EntityManager;

@Injectable()
export class AccountsStore {
  constructor(@InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>) {}

  /** The oldest account; on an empty database it is made. */
  async ensureFirst(name: string): Promise<AccountId> {
    return this.accounts.manager.transaction(async (manager) => {
      // Two relays that start on the same empty database must agree on one first account.
      await manager.query('LOCK TABLE account IN SHARE ROW EXCLUSIVE MODE');
      const [oldest] = await manager.find(AccountEntity, { order: { createdAt: 'ASC', id: 'ASC' }, take: 1 });
      if (oldest !== undefined) return oldest.id;
      const id = createAccountId();
      await manager.insert(AccountEntity, { id, name });
      return id;
    });
  }

  async create(manager: EntityManager, name: string): Promise<AccountId> {
    const id = createAccountId();
    await manager.insert(AccountEntity, { id, name });
    return id;
  }
}

/**
 * To be called first in a transaction that adds something the account may have only so many of, or only one of a name:
 * such transactions of one account then queue up, and each sees what the one before it did.
 */
export async function lockAccount(manager: EntityManager, accountId: AccountId): Promise<void> {
  await manager.query('SELECT 1 FROM account WHERE id = $1 FOR UPDATE', [accountId]);
}
