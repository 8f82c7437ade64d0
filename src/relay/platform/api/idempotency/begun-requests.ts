import type { AccountId } from '../../../../kernel/ids.js';
import type { RequestDigests } from './request-digests.js';

/** A request that carries an `Idempotency-Key` and may run. */
export interface BegunRequest {
  readonly accountId: AccountId;
  readonly digests: RequestDigests;
  /** Random, of this attempt: the same key may be used again before all of an interrupted one is forgotten. */
  readonly attempt: Buffer;
}

/** By the principal, which each request has its own of: the transaction that audits its change finds it without another parameter. */
const begun = new WeakMap<object, BegunRequest>();

export const rememberBegun = (principal: object, request: BegunRequest): void => void begun.set(principal, request);

export const begunBy = (actor: object): BegunRequest | undefined => begun.get(actor);
