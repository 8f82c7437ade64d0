import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { isExtensionName, type ExtensionName } from '../../kernel/extension.js';
import type { AccountId } from '../../kernel/ids.js';
import { AccountEntity } from '../accounts/account.entity.js';
import type { ChoicesOfAccounts, ExtensionChoices } from './extension-state.js';

@Injectable()
export class ExtensionChoicesStore {
  constructor(@InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>) {}

  transaction<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.accounts.manager.transaction(work);
  }

  /** Of all accounts: the state of the whole relay depends on them. */
  async all(): Promise<ChoicesOfAccounts> {
    const [row] = await this.accounts.query<AllChoicesRow[]>(
      `SELECT count(*)::int AS accounts,
              coalesce(jsonb_object_agg(id, extensions) FILTER (WHERE extensions <> '{}'), '{}') AS choices
       FROM account`,
    );
    const choices = Object.entries(row?.choices ?? {});
    return {
      accounts: row?.accounts ?? 0,
      choices: new Map(choices.map(([id, stored]) => [id as AccountId, knownChoices(stored)])),
    };
  }

  async of(manager: EntityManager, accountId: AccountId): Promise<ExtensionChoices> {
    const account = await manager.findOneBy(AccountEntity, { id: accountId });
    return knownChoices(account?.extensions ?? {});
  }

  /** @param on null: as the relay's default. One statement, so that two changes at once keep both. */
  async choose(manager: EntityManager, accountId: AccountId, name: ExtensionName, on: boolean | null): Promise<void> {
    await manager.query(
      on === null
        ? 'UPDATE account SET extensions = extensions - $2::text WHERE id = $1'
        : 'UPDATE account SET extensions = extensions || jsonb_build_object($2::text, $3::boolean) WHERE id = $1',
      on === null ? [accountId, name] : [accountId, name, on],
    );
  }
}

interface AllChoicesRow {
  readonly accounts: number;
  readonly choices: Readonly<Record<string, StoredChoices>>;
}

type StoredChoices = Readonly<Record<string, boolean>>;

/** A newer version may have stored extensions that this one does not have. */
const knownChoices = (stored: StoredChoices): ExtensionChoices =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => isExtensionName(name)));
