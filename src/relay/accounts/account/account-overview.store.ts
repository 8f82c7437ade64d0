import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import type { AccountId } from '../../../kernel/ids.js';
import { AccountEntity } from '../account.entity.js';

export interface AccountOverview {
  readonly id: AccountId;
  readonly name: string;
  readonly createdAt: Date;
  readonly users: number;
  readonly openInvites: number;
  /** Without those that are revoked. */
  readonly nodes: number;
  readonly clusters: number;
  readonly activeKeys: number;
}

/** The account itself and how many of everything it has. */
@Injectable()
export class AccountOverviewStore {
  constructor(@InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>) {}

  transaction<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.accounts.manager.transaction(work);
  }

  /** The tables of other features are counted in one statement, by their names: this feature is below theirs. */
  async find(accountId: AccountId): Promise<AccountOverview | undefined> {
    const [row] = await this.accounts.query<OverviewRow[]>(
      `SELECT a.name, a.created_at,
         (SELECT count(*)::int FROM "user" WHERE account_id = a.id) AS users,
         (SELECT count(*)::int FROM invite WHERE account_id = a.id AND used_at IS NULL AND expires_at > now()) AS invites,
         (SELECT count(*)::int FROM node WHERE account_id = a.id AND state <> 'revoked') AS nodes,
         (SELECT count(*)::int FROM cluster WHERE account_id = a.id) AS clusters,
         (SELECT count(*)::int FROM api_key WHERE account_id = a.id AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > now())) AS keys
       FROM account a WHERE a.id = $1`,
      [accountId],
    );
    if (row === undefined) return undefined;
    const { name, created_at, users, invites, nodes, clusters, keys } = row;
    return {
      id: accountId,
      name,
      createdAt: created_at,
      users,
      openInvites: invites,
      nodes,
      clusters,
      activeKeys: keys,
    };
  }

  async rename(manager: EntityManager, accountId: AccountId, name: string): Promise<void> {
    await manager.update(AccountEntity, { id: accountId }, { name });
  }
}

interface OverviewRow {
  readonly name: string;
  readonly created_at: Date;
  readonly users: number;
  readonly invites: number;
  readonly nodes: number;
  readonly clusters: number;
  readonly keys: number;
}
