import type { IncomingMessage } from 'node:http';
import type { ManagingActor } from './audit-event.js';

export interface RequestOrigin {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

const LONGEST_USER_AGENT_CHARACTERS = 256;
const NOWHERE: RequestOrigin = { ip: null, userAgent: null };

/**
 * Where the request came from that a manager was established for. Each request makes its own manager, so this travels with whoever
 * acts, through every signature that takes an actor, down to the transaction that records the change.
 */
const origins = new WeakMap<ManagingActor, RequestOrigin>();

export const rememberOrigin = (actor: ManagingActor, request: IncomingMessage): void =>
  void origins.set(actor, originOf(request));

export const rememberedOrigin = (actor: ManagingActor): RequestOrigin => origins.get(actor) ?? NOWHERE;

/** For changes that are made before anybody has signed in. */
export const originOf = (request: IncomingMessage): RequestOrigin => ({
  ip: request.socket.remoteAddress ?? null,
  userAgent: request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT_CHARACTERS) ?? null,
});
