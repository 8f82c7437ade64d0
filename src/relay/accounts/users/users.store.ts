import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, QueryFailedError, Raw, type EntityManager, type Repository } from 'typeorm';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { createUserId, type AccountId, type UserId } from '../../../kernel/ids.js';
import type { NewUser, OidcIdentity, User } from './user.js';
import { UserEntity } from './user.entity.js';

const UNIQUE_VIOLATION = '23505';

/** The data that decides a sign-in. */
export interface SignInCandidate {
  readonly user: User;
  readonly passwordHash: string | null;
  /** False when the user is disabled. */
  readonly mayEnter: boolean;
}

type Changes = Partial<
  Pick<UserEntity, 'role' | 'name' | 'email' | 'passwordHash' | 'passwordExpiresAt' | 'oidcIssuer' | 'oidcSubject'>
>;

/** Changes take their transaction. Every query is scoped by account, except the two look-ups of a sign-in. */
@Injectable()
export class UsersStore {
  constructor(@InjectRepository(UserEntity) private readonly users: Repository<UserEntity>) {}

  transaction<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.users.manager.transaction(work);
  }

  /** Oldest first. */
  async list(accountId: AccountId, limit: number): Promise<readonly User[]> {
    const rows = await this.users.find({ where: { accountId }, order: { createdAt: 'ASC', id: 'ASC' }, take: limit });
    return rows.map(toUser);
  }

  async find(accountId: AccountId, id: UserId, manager: EntityManager = this.users.manager): Promise<User | undefined> {
    const row = await manager.findOneBy(UserEntity, { accountId, id });
    return row === null ? undefined : toUser(row);
  }

  count(manager: EntityManager, accountId: AccountId): Promise<number> {
    return manager.countBy(UserEntity, { accountId });
  }

  /** Other owners who can sign in. */
  countOtherOwners(manager: EntityManager, accountId: AccountId, id: UserId): Promise<number> {
    return manager.countBy(UserEntity, { accountId, role: 'owner', disabledAt: IsNull(), id: Not(id) });
  }

  /** The oldest owner who can sign in. */
  async findOwner(manager: EntityManager, accountId: AccountId): Promise<User | undefined> {
    const [row] = await manager.find(UserEntity, {
      where: { accountId, role: 'owner', disabledAt: IsNull() },
      order: { createdAt: 'ASC', id: 'ASC' },
      take: 1,
    });
    return row && toUser(row);
  }

  /** Not scoped by account: an e-mail address is of one user over all accounts. */
  emailIsTaken(manager: EntityManager, email: string): Promise<boolean> {
    return manager.existsBy(UserEntity, { email });
  }

  /** Tells whether any account has a user. */
  any(): Promise<boolean> {
    return this.users.exists();
  }

  /** The query is not scoped by account, because the e-mail address identifies it. */
  async findByEmail(email: string): Promise<SignInCandidate | undefined> {
    return toCandidate(await this.users.findOneBy({ email }));
  }

  /** The current state of a user, who does not change until the end of the transaction. Undefined when removed. */
  async lock(
    manager: EntityManager,
    { accountId, id }: Pick<User, 'accountId' | 'id'>,
  ): Promise<SignInCandidate | undefined> {
    return toCandidate(
      await manager.findOne(UserEntity, { where: { accountId, id }, lock: { mode: 'pessimistic_write' } }),
    );
  }

  async findByOidc({ issuer, subject }: OidcIdentity): Promise<SignInCandidate | undefined> {
    return toCandidate(await this.users.findOneBy({ oidcIssuer: issuer, oidcSubject: subject }));
  }

  /** The current hash of a signed-in user. */
  async passwordHash(accountId: AccountId, id: UserId): Promise<string | undefined> {
    return (await this.users.findOneBy({ accountId, id }))?.passwordHash ?? undefined;
  }

  /** @throws FerryError `conflict` when the e-mail address is taken */
  async insert(manager: EntityManager, user: NewUser): Promise<User> {
    const { accountId, email, name, role, passwordHash, oidc } = user;
    const id = createUserId();
    await this.refuseTakenEmail(() =>
      manager.insert(UserEntity, {
        accountId,
        id,
        email,
        name,
        role,
        passwordHash,
        oidcIssuer: oidc?.issuer ?? null,
        oidcSubject: oidc?.subject ?? null,
      }),
    );
    return toUser(await manager.findOneByOrFail(UserEntity, { accountId, id }));
  }

  /** @throws FerryError `conflict` when the e-mail address is taken */
  async update(manager: EntityManager, accountId: AccountId, id: UserId, changes: Changes): Promise<void> {
    await this.refuseTakenEmail(() => manager.update(UserEntity, { accountId, id }, changes));
  }

  async setDisabled(manager: EntityManager, accountId: AccountId, id: UserId, disabled: boolean): Promise<void> {
    await manager.update(
      UserEntity,
      { accountId, id, disabledAt: disabled ? IsNull() : Not(IsNull()) },
      { disabledAt: disabled ? () => 'now()' : null },
    );
  }

  /** Sets a temporary password that expires then. */
  async setTemporaryPassword(
    manager: EntityManager,
    { accountId, id }: Pick<User, 'accountId' | 'id'>,
    passwordHash: string,
    lifetimeMs: number,
  ): Promise<void> {
    await manager.query(
      `UPDATE "user" SET password_hash = $3, password_expires_at = now() + $4 * interval '1 millisecond'
       WHERE account_id = $1 AND id = $2`,
      [accountId, id, passwordHash, lifetimeMs],
    );
  }

  async markSignedIn(manager: EntityManager, accountId: AccountId, id: UserId): Promise<void> {
    await manager.update(UserEntity, { accountId, id }, { lastSignInAt: () => 'now()' });
  }

  async delete(manager: EntityManager, accountId: AccountId, id: UserId): Promise<void> {
    await manager.delete(UserEntity, { accountId, id });
  }

  /** Whether the temporary password has expired, by the clock of the database. */
  async temporaryPasswordIsOver(accountId: AccountId, id: UserId): Promise<boolean> {
    return this.users.existsBy({ accountId, id, passwordExpiresAt: Raw((column) => `${column} <= now()`) });
  }

  private async refuseTakenEmail(write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new FerryError('conflict', 'This e-mail address cannot be used: it already belongs to an account.', {
        param: 'email',
        cause: error,
      });
    }
  }
}

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof QueryFailedError && (error.driverError as { code?: unknown }).code === UNIQUE_VIOLATION;

const toCandidate = (row: UserEntity | null): SignInCandidate | undefined =>
  row === null
    ? undefined
    : {
        user: toUser(row),
        passwordHash: row.passwordHash,
        mayEnter: row.disabledAt === null,
      };

function toUser(row: UserEntity): User {
  const { accountId, id, email, name, role, createdAt, lastSignInAt, disabledAt, passwordExpiresAt } = row;
  const hasPassword = row.passwordHash !== null;
  const oidc =
    row.oidcIssuer === null || row.oidcSubject === null
      ? undefined
      : { issuer: row.oidcIssuer, subject: row.oidcSubject };
  return {
    accountId,
    id,
    email,
    name,
    role,
    createdAt,
    lastSignInAt,
    disabledAt,
    hasPassword,
    oidc,
    passwordExpiresAt,
  };
}
