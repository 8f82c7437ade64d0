import { Inject, Injectable } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { AuditTrail } from '../audit/audit-trail.store.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import type { ClientOrigin } from '../../platform/http/client-origin.js';
import { AccountsStore } from '../accounts.store.js';
import { requireAcceptablePassword } from '../passwords/password.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { normalEmail } from '../users/email.js';
import { UsersStore } from '../users/users.store.js';
import { ACCOUNT_SETUP, type AccountSetup } from './account-setup.js';
import { AddressLimits } from '../../platform/limits/address-limits.js';
import { SignInService, type SignedIn } from './sign-in.service.js';

export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly name?: string | undefined;
}

/** Creates an account with its first user. Off by default: a relay that was set up has its account already. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly users: UsersStore,
    private readonly hasher: PasswordHasher,
    private readonly limits: AddressLimits,
    private readonly signIns: SignInService,
    @Inject(ACCOUNT_SETUP) private readonly setUp: AccountSetup,
    private readonly audit: AuditTrail,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /** @throws FerryError `sign_up_closed`, `invalid_request`, `conflict`, `rate_limit_exceeded` */
  async signUp({ email, password, name }: NewUser, origin: ClientOrigin): Promise<SignedIn> {
    if (this.config.settings.signUp !== 'open') throw new FerryError('sign_up_closed');
    this.limits.count('sign-up', origin.ip);
    requireAcceptablePassword(password, 'password');
    const address = normalEmail(email);
    const passwordHash = await this.hasher.hash(password);
    return this.users.transaction(async (manager) => {
      const accountId = await this.accounts.create(manager, name ?? address);
      const user = await this.users.insert(manager, {
        accountId,
        email: address,
        name: name ?? address,
        role: 'owner',
        passwordHash,
      });
      const entered = await this.signIns.enter(manager, user, origin);
      await this.audit.record(manager, {
        accountId,
        actor: entered.principal,
        action: 'account.create',
        object: { kind: 'account', id: accountId },
        ...origin,
      });
      await this.setUp(manager, accountId);
      return entered;
    });
  }
}
