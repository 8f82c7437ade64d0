import { Inject, Injectable } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { AuditTrail } from '../../audit/audit-trail.store.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import type { ClientOrigin } from '../../platform/http/client-origin.js';
import { AccountsStore, lockAccount, type Transaction } from '../accounts.store.js';
import { SignInService, type SignedIn } from '../sign-in/sign-in.service.js';
import type { User } from '../users/user.js';
import { UsersStore } from '../users/users.store.js';
import type { OidcPerson } from './openid-provider.js';

const LONGEST_NAME = 64;
const ACCOUNT_NAME = 'default';

/** Signs in users whom the OpenID provider has authenticated. */
@Injectable()
export class OidcSignInService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly users: UsersStore,
    private readonly signIns: SignInService,
    private readonly audit: AuditTrail,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /**
   * A known user is found by issuer and subject. On the first sign-in a verified e-mail address links the existing user, or creates a
   * member when its domain is allowed.
   * @throws FerryError `sign_in_refused`
   */
  async enter(person: OidcPerson, origin: ClientOrigin): Promise<SignedIn> {
    const { issuer, subject, verifiedEmail: email } = person;
    const known = await this.users.findByOidc({ issuer, subject });
    const byEmail = known ?? (email === undefined ? undefined : await this.users.findByEmail(email));
    if (byEmail !== undefined) {
      if (!byEmail.mayEnter || (known === undefined && byEmail.hasOidc)) throw new FerryError('sign_in_refused');
      return this.users.transaction(async (manager) => {
        if (known === undefined) await this.connect(manager, byEmail.user, person, origin);
        return this.signIns.enter(manager, byEmail.user, origin);
      });
    }
    if (email === undefined || !this.mayJoin(email)) throw new FerryError('sign_in_refused');
    return this.join(person, email, origin);
  }

  private async join({ issuer, subject, name }: OidcPerson, email: string, origin: ClientOrigin): Promise<SignedIn> {
    const accountId = await this.accounts.ensureFirst(ACCOUNT_NAME);
    return this.users.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      if ((await this.users.count(manager, accountId)) >= this.config.settings.usersPerAccount) {
        throw new FerryError('conflict', 'The account has reached its limit of users.');
      }
      const user = await this.users.insert(manager, {
        accountId,
        email,
        name: (name ?? email).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, LONGEST_NAME),
        role: 'member',
        passwordHash: null,
        oidc: { issuer, subject },
      });
      await this.record(manager, user, 'user.join', issuer, origin);
      return this.signIns.enter(manager, user, origin);
    });
  }

  private async connect(
    manager: Transaction,
    user: User,
    { issuer, subject }: OidcPerson,
    origin: ClientOrigin,
  ): Promise<void> {
    await this.users.update(manager, user.accountId, user.id, { oidcIssuer: issuer, oidcSubject: subject });
    await this.record(manager, user, 'user.connect', issuer, origin);
  }

  private record(
    manager: Transaction,
    user: User,
    action: string,
    issuer: string,
    origin: ClientOrigin,
  ): Promise<void> {
    const { accountId, id } = user;
    return this.audit.record(manager, {
      accountId,
      actor: 'system',
      action,
      object: { kind: 'user', id },
      detail: { issuer },
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
