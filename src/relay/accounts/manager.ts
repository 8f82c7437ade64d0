import type { AccountId, CliTokenId } from '../../kernel/ids.js';

/** Who sent a management request. Signing in as a person adds a second kind of credential here. */
export interface Manager {
  readonly accountId: AccountId;
  readonly credential: { readonly kind: 'cli-token'; readonly id: CliTokenId; readonly name: string };
}
