import type { AccountId } from '../../kernel/ids.js';

export type PreloadStep = (accountId: AccountId) => Promise<void>;

/**
 * Loads the state of an account into memory before one of its nodes is admitted. Higher layers register their steps here, so that no
 * request is answered from incomplete state. A step that rejects refuses the link with 503, and the node retries.
 */
export class AccountPreloader {
  private readonly steps: PreloadStep[] = [];

  add(step: PreloadStep): void {
    this.steps.push(step);
  }

  async run(accountId: AccountId): Promise<void> {
    await Promise.all(this.steps.map((step) => step(accountId)));
  }
}
