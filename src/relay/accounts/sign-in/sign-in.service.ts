import { Injectable } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { AuditTrail } from '../audit/audit-trail.store.js';
import type { ClientOrigin } from '../../platform/http/client-origin.js';
import { lockAccount, type Transaction } from '../accounts.store.js';
import { CredentialsService } from '../credentials.service.js';
import type { Principal } from '../../platform/access/principal.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { SessionsService, type OpenedSession } from '../sessions/sessions.service.js';
import { normalEmail } from '../users/email.js';
import type { User } from '../users/user.js';
import { UsersStore } from '../users/users.store.js';
import { SignInGuard } from '../passwords/sign-in-guard.js';

export interface SignedIn extends OpenedSession {
  readonly user: User;
}

@Injectable()
export class SignInService {
  constructor(
    private readonly users: UsersStore,
    private readonly hasher: PasswordHasher,
    private readonly guard: SignInGuard,
    private readonly sessions: SessionsService,
    private readonly credentials: CredentialsService,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws FerryError `wrong_email_or_password` for every cause, `rate_limit_exceeded`, `overloaded` */
  async signIn(email: string, password: string, origin: ClientOrigin): Promise<SignedIn> {
    const address = normalEmail(email);
    await this.guard.admit(address, origin.ip);
    const candidate = await this.users.findByEmail(address);
    const { matches, outdated } = await this.hasher.verify(candidate?.passwordHash ?? undefined, password);
    if (candidate === undefined || !matches || !candidate.mayEnter || (await this.isOver(candidate.user))) {
      throw wrongPassword();
    }
    await this.guard.succeeded(address, origin.ip);
    const renewed = outdated ? await this.hasher.hash(password) : undefined;
    return this.users.transaction(async (manager) => {
      const { user, passwordHash, mayEnter } = (await this.users.lock(manager, candidate.user)) ?? {};
      // Hashing takes long: a reset, a removal or another password meanwhile must leave no session.
      if (user === undefined || mayEnter !== true || passwordHash !== candidate.passwordHash) throw wrongPassword();
      if (renewed !== undefined) {
        await this.users.update(manager, user.accountId, user.id, { passwordHash: renewed });
      }
      return this.enter(manager, user, origin);
    });
  }

  /** Opens a session for an authenticated user, who was read in the same transaction. */
  async enter(manager: Transaction, user: User, origin: ClientOrigin): Promise<SignedIn> {
    const { accountId, id } = user;
    await this.users.markSignedIn(manager, accountId, id);
    const opened = await this.sessions.open(manager, user, origin);
    await this.audit.record(manager, {
      accountId,
      actor: opened.principal,
      action: 'session.create',
      object: { kind: 'session', id: opened.principal.credential.id },
      ...origin,
    });
    return { ...opened, user };
  }

  /** Ends the session or revokes the CLI token of the request; with the relay's own token ends what it has handed out. */
  async signOut(actor: Principal): Promise<void> {
    const { accountId, credential } = actor;
    await this.users.transaction(async (manager) => {
      await this.credentials.end(manager, actor);
      await this.audit.record(manager, {
        accountId,
        actor,
        action: credential.kind === 'session' ? 'session.delete' : 'cli-token.revoke',
        object: { kind: credential.kind, id: credential.id },
      });
    });
  }

  /** @throws FerryError `invalid_request` for the relay's own token, which has no user */
  async signOutEverywhere(actor: Principal): Promise<void> {
    const { accountId, userId } = actor;
    if (userId === null) throw new FerryError('invalid_request', 'This credential does not belong to a user.');
    await this.users.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      await this.credentials.endAllOf(manager, accountId, userId);
      await this.audit.record(manager, {
        accountId,
        actor,
        action: 'user.sign-out-everywhere',
        object: { kind: 'user', id: userId },
      });
    });
  }

  private isOver({ accountId, id, passwordExpiresAt }: User): Promise<boolean> {
    return passwordExpiresAt === null ? Promise.resolve(false) : this.users.temporaryPasswordIsOver(accountId, id);
  }
}

const wrongPassword = (): FerryError =>
  new FerryError('wrong_email_or_password', 'The e-mail address or the password is wrong.');
