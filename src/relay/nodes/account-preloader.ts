import type { AccountId } from '../../kernel/ids.js';

export type PreloadStep = (accountId: AccountId) => Promise<void>;

/**
 * What must be in memory before a node of an account appears. Floors above register here, so that nothing is ever answered from
 * half of an account's knowledge. A step that rejects refuses the link with 503: the node comes back.
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
