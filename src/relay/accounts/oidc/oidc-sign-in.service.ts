import { Inject, Injectable } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AuditDetail } from '../audit/audit-event.js';
import { AuditTrail } from '../audit/audit-trail.store.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import type { ClientOrigin } from '../../platform/http/client-origin.js';
import { AccountsStore, lockAccount, type Transaction } from '../accounts.store.js';
import { CredentialsService } from '../credentials.service.js';
import { RemovedPeopleStore } from '../users/removed-people.store.js';
import { SignInService, type SignedIn } from '../sign-in/sign-in.service.js';
import type { OidcIdentity, User } from '../users/user.js';
import { UsersStore } from '../users/users.store.js';
import type { OidcPerson } from './openid-provider.js';

const LONGEST_NAME = 64;

/** Signs in users whom the OpenID provider has authenticated. */
@Injectable()
export class OidcSignInService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly users: UsersStore,
    private readonly signIns: SignInService,
    private readonly credentials: CredentialsService,
    private readonly removed: RemovedPeopleStore,
    private readonly audit: AuditTrail,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /**
   * A known user is found by issuer and subject. On the first sign-in a verified e-mail address connects the existing user, or creates a
   * member of the account of `FERRY_OIDC_ACCOUNT` when its domain is allowed.
   * @throws FerryError `sign_in_refused`
   */
  async enter(person: OidcPerson, origin: ClientOrigin): Promise<SignedIn> {
    const { issuer, subject, verifiedEmail: email } = person;
    const known = await this.users.findByOidc({ issuer, subject });
    if (known !== undefined) return this.enterAs(known.user, person, origin);
    if (email === undefined) throw new FerryError('sign_in_refused');
    const byEmail = await this.users.findByEmail(email);
    if (byEmail !== undefined) return this.enterAs(byEmail.user, person, origin);
    return this.join(person, email, origin);
  }

  /** Reads the user again under a lock: disabling or removal at the same time must leave no session. */
  private enterAs({ accountId, id }: User, person: OidcPerson, origin: ClientOrigin): Promise<SignedIn> {
    return this.users.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      const current = await this.users.lock(manager, { accountId, id });
      if (current?.mayEnter !== true) throw new FerryError('sign_in_refused');
      const { user } = current;
      const connected = user.oidc === undefined ? await this.connect(manager, user, person, origin) : user;
      if (!isSame(connected.oidc, person)) throw new FerryError('sign_in_refused');
      return this.signIns.enter(manager, connected, origin);
    });
  }

  /** @throws FerryError `sign_in_refused`, `conflict` */
  private async join(person: OidcPerson, email: string, origin: ClientOrigin): Promise<SignedIn> {
    const { oidcAccount: accountId, usersPerAccount } = this.config.settings;
    if (accountId === undefined || !this.mayJoin(email)) throw new FerryError('sign_in_refused');
    const { issuer, subject, name } = person;
    const oidc = { issuer, subject };
    return this.users.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      if (!(await this.accounts.exists(manager, accountId))) throw new FerryError('sign_in_refused');
      // The provider still knows somebody whom the account has removed.
      if (await this.removed.includes(manager, accountId, { email, oidc })) throw new FerryError('sign_in_refused');
      if ((await this.users.count(manager, accountId)) >= usersPerAccount) {
        throw new FerryError('conflict', 'The account has reached its limit of users.');
      }
      const user = await this.users.insert(manager, {
        accountId,
        email,
        name: (name ?? email).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, LONGEST_NAME),
        role: 'member',
        passwordHash: null,
        oidc,
      });
      await this.record(manager, user, 'user.join', { issuer }, origin);
      return this.signIns.enter(manager, user, origin);
    });
  }

  /**
   * The provider has verified the address, which nobody had before: whoever accepted an invite with an address of somebody else knows the
   * password. So the password and all credentials end.
   */
  private async connect(
    manager: Transaction,
    user: User,
    { issuer, subject, verifiedEmail }: OidcPerson,
    origin: ClientOrigin,
  ): Promise<User> {
    // The address may have changed since it was looked up.
    if (user.email !== verifiedEmail) throw new FerryError('sign_in_refused');
    const { accountId, id } = user;
    const identity = { oidcIssuer: issuer, oidcSubject: subject };
    await this.users.update(manager, accountId, id, { ...identity, passwordHash: null, passwordExpiresAt: null });
    await this.credentials.endAllOf(manager, accountId, id);
    await this.record(manager, user, 'user.connect', { issuer, password_removed: user.hasPassword }, origin);
    return { ...user, hasPassword: false, passwordExpiresAt: null, oidc: { issuer, subject } };
  }

  private record(
    manager: Transaction,
    user: User,
    action: string,
    detail: AuditDetail,
    origin: ClientOrigin,
  ): Promise<void> {
    const { accountId, id } = user;
    return this.audit.record(manager, {
      accountId,
      actor: 'system',
      action,
      object: { kind: 'user', id },
      detail,
      ...origin,
    });
  }

  private mayJoin(email: string): boolean {
    const { signUp, oidcEmailDomains } = this.config.settings;
    const domains = oidcEmailDomains.split(',').map((domain) => domain.trim().toLowerCase());
    const domain = email.slice(email.lastIndexOf('@') + 1);
    return signUp !== 'closed' && domain !== '' && domains.includes(domain);
  }
}

const isSame = (identity: OidcIdentity | undefined, { issuer, subject }: OidcPerson): boolean =>
  identity?.issuer === issuer && identity.subject === subject;
