import { Injectable } from '@nestjs/common';
import type { AccountId } from '../../../kernel/ids.js';
import type { Transaction } from '../accounts.store.js';
import type { User } from './user.js';
import { UsersStore } from './users.store.js';

/** No mail reaches it, and nobody can sign in with it while there is no password. */
const OWNER_EMAIL = 'owner@localhost';

/** The person for whom the relay's own token acts. */
@Injectable()
export class AccountOwner {
  constructor(private readonly users: UsersStore) {}

  /**
   * The oldest owner who can sign in; of an account without one, a new one who chooses e-mail address and password later. Lock the account
   * first: two calls at the same time must not create two owners.
   */
  async ensure(manager: Transaction, accountId: AccountId): Promise<User> {
    const known = await this.users.findOwner(manager, accountId);
    if (known !== undefined) return known;
    const taken = await this.users.emailIsTaken(manager, OWNER_EMAIL);
    const email = taken ? `owner-${accountId.slice(-8).toLowerCase()}@localhost` : OWNER_EMAIL;
    const newUser = { accountId, email, name: 'Owner', role: 'owner', passwordHash: null } as const;
    return this.users.insert(manager, newUser);
  }
}
