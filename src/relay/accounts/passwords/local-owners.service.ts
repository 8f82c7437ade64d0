import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.store.js';
import { AccountsStore } from '../accounts.store.js';
import { normalEmail } from '../users/email.js';
import type { User } from '../users/user.js';
import { UsersStore } from '../users/users.store.js';
import type { LocalReset } from './local-reset.js';

const ACCOUNT_NAME = 'default';

/** Creates the first person of a relay that was started with `ferry serve`, which has an account at most. */
@Injectable()
export class LocalOwnersService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly users: UsersStore,
    private readonly audit: AuditTrail,
  ) {}

  /** An owner of the oldest account, which is created on an empty database. @throws FerryError `conflict` for a taken address */
  async create({ email, passwordHash, lifetimeMs }: LocalReset): Promise<User> {
    const accountId = await this.accounts.ensureFirst(ACCOUNT_NAME);
    const address = normalEmail(email);
    return this.users.transaction(async (manager) => {
      const newUser = { accountId, email: address, name: address, role: 'owner', passwordHash } as const;
      const user = await this.users.insert(manager, newUser);
      if (lifetimeMs !== null) await this.users.setTemporaryPassword(manager, user, passwordHash, lifetimeMs);
      const object = { kind: 'user', id: user.id };
      await this.audit.record(manager, {
        accountId,
        actor: 'system',
        action: 'user.create',
        object,
        detail: { email: address, role: 'owner' },
      });
      return user;
    });
  }
}
