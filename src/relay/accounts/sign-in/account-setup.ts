import type { AccountId } from '../../../kernel/ids.js';
import type { Transaction } from '../accounts.store.js';

/**
 * Token of an {@link AccountSetup}: rows that every account has but that a feature above this one owns. It runs in the transaction that
 * creates the account, so that no account exists without them.
 */
export const ACCOUNT_SETUP = Symbol('ferry.account-setup');

export type AccountSetup = (manager: Transaction, accountId: AccountId) => Promise<void>;
