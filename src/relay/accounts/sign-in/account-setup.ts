import { Injectable } from '@nestjs/common';
import type { AccountId } from '../../../kernel/ids.js';
import type { Transaction } from '../accounts.store.js';

export type AccountSetupStep = (manager: Transaction, accountId: AccountId) => Promise<void>;

/**
 * Rows that every account has but that features above this one own. The steps run in the transaction that creates the account, so that
 * no account exists without them.
 */
@Injectable()
export class AccountSetup {
  private readonly steps: AccountSetupStep[] = [];

  /** Call it while the modules are initialised. */
  addStep(step: AccountSetupStep): void {
    this.steps.push(step);
  }

  async run(manager: Transaction, accountId: AccountId): Promise<void> {
    for (const step of this.steps) await step(manager, accountId);
  }
}
