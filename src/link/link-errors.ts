import type { ResetReason } from './messages.js';

/** WebSocket close codes of the link. 4xxx are ours; the peer's behaviour on each is in the link protocol's documentation. */
export const LinkCloseCode = {
  normal: 1000,
  goingAway: 1001,
  protocolError: 1002,
  internalError: 1011,
  /** The node's key is no longer valid: it must not reconnect by itself. */
  revoked: 4401,
  /** Another connection of the same node took over. */
  superseded: 4409,
  /** The two sides have no link version in common: one of them must be updated. */
  unsupportedVersion: 4426,
} as const;

/** The peer broke the protocol: its socket is closed with 1002. The message is sent to it, so it never holds what the peer sent. */
export class LinkProtocolError extends Error {
  override readonly name = 'LinkProtocolError';
}

export type LinkUnavailableReason = 'closed' | 'not_ready' | 'draining' | 'full';

/** The link accepts no requests now. Nothing was sent. */
export class LinkUnavailableError extends Error {
  override readonly name = 'LinkUnavailableError';
  constructor(readonly reason: LinkUnavailableReason) {
    super(`link unavailable: ${reason}`);
  }
}

/** Why a stream is gone on the node: a reset, the end of the link, or the node's own END or REJECT. */
export type StreamClosedReason = ResetReason | 'link_closed' | 'ended';

/** The stream ended before the bytes could be sent. */
export class LinkStreamClosedError extends Error {
  override readonly name = 'LinkStreamClosedError';
  constructor(readonly reason: StreamClosedReason) {
    super(`link stream closed: ${reason}`);
  }
}

/** How a link ended, for logs and metrics. */
export type LinkCloseReason =
  | 'peer_closed'
  | 'closed_here'
  | 'protocol_error'
  | 'handshake_timeout'
  | 'dead'
  /** The peer does not read. */
  | 'backlog'
  | 'internal';
