import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Raw, type EntityManager, type Repository } from 'typeorm';
import type { AccountId, CliTokenId, UserId } from '../../kernel/ids.js';
import { CliTokenEntity } from './cli-token.entity.js';
import type { Role } from '../platform/access/principal.js';

export interface NewCliToken {
  readonly id: CliTokenId;
  readonly digest: Buffer;
  readonly name: string;
  readonly last4: string;
}

/** A token that was issued to a user. */
export interface IssuedCliToken extends NewCliToken {
  readonly userId: UserId;
  readonly role: Role;
  readonly lifetimeMs: number;
}

export interface StoredCliToken {
  readonly accountId: AccountId;
  readonly userId: UserId | null;
  /** The token may have a lower role than its user. */
  readonly role: Role;
  /** The current role of its user; null: it has no user. */
  readonly userRole: Role | null;
  readonly id: CliTokenId;
  readonly name: string;
  readonly digest: Buffer;
  /** Not revoked, not expired by the clock of the database, and its user is not disabled. */
  readonly active: boolean;
}

/** Its own user sees these fields. */
export interface ListedCliToken {
  readonly id: CliTokenId;
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** The owners of the account see these fields. */
export interface AccountCliToken extends ListedCliToken {
  /** Null: the relay's own. */
  readonly userId: UserId | null;
  readonly role: Role;
  readonly last4: string;
}

const notPassed = (column: string): string => `(${column} IS NULL OR ${column} > now())`;

const toAccountToken = ({ id, name, userId, role, last4, createdAt, expiresAt }: CliTokenEntity): AccountCliToken => ({
  id,
  name,
  userId,
  role,
  last4,
  createdAt,
  expiresAt,
});

@Injectable()
export class CliTokensStore {
  constructor(@InjectRepository(CliTokenEntity) private readonly tokens: Repository<CliTokenEntity>) {}

  transaction<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.tokens.manager.transaction(work);
  }

  /** The relay's own token. */
  async insertBootstrap(
    manager: EntityManager,
    accountId: AccountId,
    { id, digest, name, last4 }: NewCliToken,
  ): Promise<void> {
    await manager.insert(CliTokenEntity, { accountId, id, digest, name, last4, bootstrap: true });
  }

  /** Keeps at most `keep` tokens of the user: the oldest beyond that are deleted. */
  async issue(manager: EntityManager, accountId: AccountId, token: IssuedCliToken, keep: number): Promise<void> {
    const { id, digest, name, last4, userId, role, lifetimeMs } = token;
    await manager.query(
      `INSERT INTO cli_token (account_id, id, digest, name, last4, user_id, role, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 millisecond')`,
      [accountId, id, digest, name, last4, userId, role, lifetimeMs],
    );
    await manager.query(
      `DELETE FROM cli_token WHERE account_id = $1 AND expires_at IS NOT NULL AND id IN (
         SELECT id FROM cli_token WHERE account_id = $1 AND user_id = $2 AND expires_at IS NOT NULL
         ORDER BY revoked_at IS NULL DESC, created_at DESC OFFSET $3)`,
      [accountId, userId, keep],
    );
  }

  async revoke(manager: EntityManager, accountId: AccountId, id: CliTokenId): Promise<void> {
    await manager.update(CliTokenEntity, { accountId, id, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
  }

  async revokeAllOf(manager: EntityManager, accountId: AccountId, userId: UserId): Promise<void> {
    await manager.update(CliTokenEntity, { accountId, userId, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
  }

  /** Tokens that can still be used, newest first. */
  async list(accountId: AccountId, userId: UserId): Promise<ListedCliToken[]> {
    const rows = await this.tokens.find({
      where: {
        accountId,
        userId,
        revokedAt: IsNull(),
        expiresAt: Raw(notPassed),
      },
      order: { createdAt: 'DESC', id: 'ASC' },
    });
    return rows.map(({ id, name, createdAt, expiresAt }) => ({ id, name, createdAt, expiresAt }));
  }

  /** @returns whether this user had such a token */
  async revokeOf(manager: EntityManager, accountId: AccountId, userId: UserId, id: CliTokenId): Promise<boolean> {
    const change = { revokedAt: () => 'now()' };
    const { affected } = await manager.update(CliTokenEntity, { accountId, userId, id, revokedAt: IsNull() }, change);
    return (affected ?? 0) > 0;
  }

  async revokeBootstrap(manager: EntityManager, accountId: AccountId): Promise<void> {
    await manager.update(
      CliTokenEntity,
      { accountId, bootstrap: true, revokedAt: IsNull() },
      { revokedAt: () => 'now()' },
    );
  }

  /** Lists usable tokens of all users and of the relay itself, newest first. */
  async listAll(accountId: AccountId): Promise<AccountCliToken[]> {
    const rows = await this.tokens.find({
      where: { accountId, revokedAt: IsNull(), expiresAt: Raw(notPassed) },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return rows.map(toAccountToken);
  }

  /** Finds a token of any user. Undefined when there is no such token that can still be used. */
  async findUsable(manager: EntityManager, accountId: AccountId, id: CliTokenId): Promise<AccountCliToken | undefined> {
    const row = await manager.findOneBy(CliTokenEntity, {
      accountId,
      id,
      revokedAt: IsNull(),
      expiresAt: Raw(notPassed),
    });
    return row === null ? undefined : toAccountToken(row);
  }

  /** The query is not scoped by account, because the credential identifies it. */
  async findForVerification(
    id: CliTokenId,
    manager: EntityManager = this.tokens.manager,
  ): Promise<StoredCliToken | undefined> {
    const rows = await manager.query<VerificationRow[]>(
      `SELECT t.account_id, t.id, t.name, t.digest, t.user_id, t.role, u.role AS user_role,
              t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now()) AND u.disabled_at IS NULL
                AND (t.bootstrap OR u.id IS NOT NULL) AS active
       FROM cli_token t LEFT JOIN "user" u ON u.account_id = t.account_id AND u.id = t.user_id
       WHERE t.id = $1`,
      [id],
    );
    const row = rows[0];
    if (row === undefined) return undefined;
    const { account_id, user_id, user_role, ...rest } = row;
    return { ...rest, accountId: account_id, userId: user_id, userRole: user_role };
  }
}

interface VerificationRow extends Omit<StoredCliToken, 'accountId' | 'userId' | 'userRole'> {
  readonly account_id: AccountId;
  readonly user_id: UserId | null;
  readonly user_role: Role | null;
}
