import type { ManagingActor } from './audit-event.js';

export interface RequestOrigin {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

const NOWHERE: RequestOrigin = { ip: null, userAgent: null };

/**
 * The origin of the request that a principal was verified for. Each request has its own principal object, so the origin is available
 * to the transaction that records the change without another parameter.
 */
const origins = new WeakMap<ManagingActor, RequestOrigin>();

export const rememberOrigin = (actor: ManagingActor, origin: RequestOrigin): void => void origins.set(actor, origin);

export const rememberedOrigin = (actor: ManagingActor): RequestOrigin => origins.get(actor) ?? NOWHERE;
