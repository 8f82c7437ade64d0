import type { ManagingActor } from './audit-event.js';

export interface RequestOrigin {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

const NOWHERE: RequestOrigin = { ip: null, userAgent: null };

/**
 * Where the request came from that a manager was established for. Each request makes its own manager, so this travels with whoever
 * acts, through every signature that takes an actor, down to the transaction that records the change.
 */
const origins = new WeakMap<ManagingActor, RequestOrigin>();

export const rememberOrigin = (actor: ManagingActor, origin: RequestOrigin): void => void origins.set(actor, origin);

export const rememberedOrigin = (actor: ManagingActor): RequestOrigin => origins.get(actor) ?? NOWHERE;
