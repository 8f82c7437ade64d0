import { Injectable } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId, UserId } from '../../../kernel/ids.js';
import { AuditTrail } from '../audit/audit-trail.store.js';
import type { ClientOrigin } from '../../platform/http/client-origin.js';
import { lockAccount, type Transaction } from '../accounts.store.js';
import { CredentialsService } from '../credentials.service.js';
import { hasRole, type Principal, type Role } from '../../platform/access/principal.js';
import { requireAcceptablePassword } from './password.js';
import { PasswordHasher } from './password-hasher.js';
import { temporaryPassword } from './temporary-password.js';
import { SessionsService, type OpenedSession } from '../sessions/sessions.service.js';
import { SignInGuard } from './sign-in-guard.js';
import { normalEmail } from '../users/email.js';
import type { User } from '../users/user.js';
import { UsersStore } from '../users/users.store.js';

export interface FirstPassword {
  readonly password: string;
  /** Absent: stay as they are. */
  readonly email?: string | undefined;
  readonly name?: string | undefined;
}

const TEMPORARY_MS = 3_600_000;

/** Changes of passwords. Each ends all sessions and CLI tokens of the user, any of which may be compromised. */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly users: UsersStore,
    private readonly hasher: PasswordHasher,
    private readonly guard: SignInGuard,
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * @returns a new session for a caller with a session; a command line must sign in again
   * @throws FerryError `wrong_email_or_password`, `invalid_request` (unacceptable password, or a credential without a user), `rate_limit_exceeded`
   */
  async change(
    actor: Principal,
    current: string,
    next: string,
    origin: ClientOrigin,
  ): Promise<OpenedSession | undefined> {
    const { accountId, userId } = actor;
    const user = userId === null ? undefined : await this.users.find(accountId, userId);
    if (user?.hasPassword !== true) {
      throw new FerryError('invalid_request', 'The user of this credential has no password.');
    }
    requireAcceptablePassword(next, 'new_password');
    // The same pauses as for a sign-in, so that a stolen session cannot be used to guess the password.
    await this.guard.admit(user.email, origin.ip);
    const verified = await this.users.passwordHash(accountId, user.id);
    const { matches } = await this.hasher.verify(verified, current);
    if (!matches) throw new FerryError('wrong_email_or_password', 'The current password is wrong.');
    await this.guard.succeeded(user.email, origin.ip);

    const passwordHash = await this.hasher.hash(next);
    return this.users.transaction(async (manager) => {
      // Hashing takes long: a reset or sign-out everywhere meanwhile must not be undone.
      await this.credentials.requireStill(manager, actor, 'member');
      if ((await this.users.lock(manager, user))?.passwordHash !== verified) {
        throw new FerryError('wrong_email_or_password', 'The current password is wrong.');
      }
      await this.users.update(manager, accountId, user.id, { passwordHash, passwordExpiresAt: null });
      await this.credentials.endAllOf(manager, accountId, user.id);
      await this.audit.record(manager, {
        accountId,
        actor,
        action: 'user.password',
        object: { kind: 'user', id: user.id },
      });
      return actor.credential.kind === 'session' ? this.sessions.open(manager, user, origin) : undefined;
    });
  }

  /**
   * For the owner whom a one-time link signed in, who has no password yet. A user of an OpenID provider gets none: it would evade what
   * the provider requires of a sign-in.
   * @returns a new session; the others of this user end
   * @throws FerryError `conflict`, `invalid_request`, `recent_sign_in_needed`
   */
  async setFirst(actor: Principal, first: FirstPassword, origin: ClientOrigin): Promise<OpenedSession> {
    const { accountId, userId, credential } = actor;
    const user = userId === null ? undefined : await this.users.find(accountId, userId);
    if (user === undefined || credential.kind !== 'session') {
      throw new FerryError(
        'invalid_request',
        'A first password can only be set from a browser session. Sign in on the website.',
      );
    }
    if (user.hasPassword || user.oidc !== undefined) throw hasSignIn();
    await this.sessions.requireRecentSignIn(accountId, credential.id);
    requireAcceptablePassword(first.password, 'password');
    const email = first.email === undefined ? user.email : normalEmail(first.email);
    const name = first.name ?? user.name;
    const passwordHash = await this.hasher.hash(first.password);
    return this.users.transaction(async (manager) => {
      await this.credentials.requireStill(manager, actor, 'member');
      const locked = await this.users.lock(manager, user);
      if (locked === undefined || locked.user.hasPassword || locked.user.oidc !== undefined) throw hasSignIn();
      await this.users.update(manager, accountId, user.id, { email, name, passwordHash, passwordExpiresAt: null });
      await this.credentials.endSessionsOf(manager, accountId, user.id);
      const object = { kind: 'user', id: user.id };
      await this.audit.record(manager, { accountId, actor, action: 'user.password', object, detail: { email } });
      return this.sessions.open(manager, { ...user, email, name }, origin);
    });
  }

  /**
   * For another user. One's own password is changed with the current one, which a stolen session does not have; a user of an OpenID provider
   * gets none, as above.
   * @returns a temporary password to hand over, valid for an hour
   * @throws FerryError `not_found`, `insufficient_role`, `conflict`, `recent_sign_in_needed`
   */
  async reset(actor: Principal, id: UserId): Promise<{ readonly user: User; readonly password: string }> {
    const { accountId } = actor;
    await this.resettable(actor, actor.role, id);
    await this.credentials.requireRecentSignIn(actor);
    const password = temporaryPassword();
    const passwordHash = await this.hasher.hash(password);
    const user = await this.users.transaction(async (manager) => {
      const actorRole = await this.credentials.requireStill(manager, actor, 'admin');
      const known = await this.resettable(actor, actorRole, id, manager);
      await this.replace(manager, actor, known, passwordHash, TEMPORARY_MS);
      return (await this.users.find(accountId, id, manager)) ?? known;
    });
    return { user, password };
  }

  /**
   * Authorised by access to the relay's secret (see `LocalReset`). Also enables a disabled owner, who may be the only one.
   * @param lifetimeMs of a generated password; null: the user chose it
   * @throws FerryError `not_found`
   */
  async resetLocally(email: string, passwordHash: string, lifetimeMs: number | null): Promise<User> {
    const candidate = await this.users.findByEmail(email);
    if (candidate === undefined) throw new FerryError('not_found', 'There is no user with this e-mail address.');
    const { user } = candidate;
    await this.users.transaction(async (manager) => {
      await lockAccount(manager, user.accountId);
      await this.users.setDisabled(manager, user.accountId, user.id, false);
      await this.replace(manager, 'system', user, passwordHash, lifetimeMs);
    });
    return user;
  }

  private async resettable(actor: Principal, actorRole: Role, id: UserId, manager?: Transaction): Promise<User> {
    const user = await this.users.find(actor.accountId, id, manager);
    if (user === undefined) throw new FerryError('not_found', 'There is no user with this id.');
    if (!hasRole(actorRole, user.role)) throw new FerryError('insufficient_role');
    if (actor.userId === id) {
      throw new FerryError('conflict', 'You cannot reset your own password. Change it with the current one instead.');
    }
    if (user.oidc !== undefined) {
      throw new FerryError('conflict', 'This user signs in through the OpenID provider and has no password here.');
    }
    return user;
  }

  private async replace(
    manager: Transaction,
    actor: Principal | 'system',
    user: { readonly accountId: AccountId; readonly id: UserId },
    passwordHash: string,
    lifetimeMs: number | null,
  ): Promise<void> {
    const { accountId, id } = user;
    if (lifetimeMs === null) {
      await this.users.update(manager, accountId, id, { passwordHash, passwordExpiresAt: null });
    } else await this.users.setTemporaryPassword(manager, user, passwordHash, lifetimeMs);
    await this.credentials.endAllOf(manager, accountId, id);
    await this.audit.record(manager, {
      accountId,
      actor,
      action: 'user.password-reset',
      object: { kind: 'user', id },
    });
  }
}

const hasSignIn = (): FerryError =>
  new FerryError('conflict', 'You already have a password, or you sign in through the OpenID provider.');
