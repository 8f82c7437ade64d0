import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { createAccountId, type AccountId } from '../../kernel/ids.js';
import { AccountEntity } from './account.entity.js';

/** Passed by services to every store that takes part in a change, and to the audit trail. */
export type Transaction = EntityManager;

@Injectable()
export class AccountsStore {
  constructor(@InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>) {}

  /** The oldest account; created on an empty database. */
  async ensureFirst(name: string): Promise<AccountId> {
    return this.accounts.manager.transaction(async (manager) => {
      // Two relays that start on one empty database must create one account.
      await manager.query('LOCK TABLE account IN SHARE ROW EXCLUSIVE MODE');
      const [oldest] = await manager.find(AccountEntity, { order: { createdAt: 'ASC', id: 'ASC' }, take: 1 });
      if (oldest !== undefined) return oldest.id;
      const id = createAccountId();
      await manager.insert(AccountEntity, { id, name });
      return id;
    });
  }

  exists(manager: EntityManager, id: AccountId): Promise<boolean> {
    return manager.existsBy(AccountEntity, { id });
  }

  async create(manager: EntityManager, name: string): Promise<AccountId> {
    const id = createAccountId();
    await manager.insert(AccountEntity, { id, name });
    return id;
  }
}

/**
 * Serialises the transactions of one account that check a maximum count or a unique name. Call it first: then each sees the changes of
 * the one before it.
 */
export async function lockAccount(manager: EntityManager, accountId: AccountId): Promise<void> {
  await manager.query('SELECT 1 FROM account WHERE id = $1 FOR UPDATE', [accountId]);
}
