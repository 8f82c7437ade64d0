import type { AccountId, ClusterId, NodeId } from '../../../kernel/ids.js';

/** Settings that users change while the node may be connected. */
export interface NodeSettings {
  readonly clusterId: ClusterId;
  readonly name: string;
  /** It stays connected and gets no requests. */
  readonly paused: boolean;
}

/** An authenticated node, before its link is open. */
export interface LinkIdentity extends NodeSettings {
  readonly accountId: AccountId;
  readonly nodeId: NodeId;
  /**
   * One for all links of an agent process; a newer process has a higher one (docs/reference/link.md#superseding).
   */
  readonly epoch: number;
}

/** The response instead of a 101. `message` is the whole plain-text body. */
export interface HandshakeRefusal {
  readonly status: 400 | 401 | 403 | 409 | 421 | 426 | 429 | 503;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

export type HandshakeResult =
  | { readonly kind: 'admitted'; readonly identity: LinkIdentity }
  /** A connectivity check: the WebSocket is opened and closed at once. */
  | { readonly kind: 'check' }
  | { readonly kind: 'refused'; readonly refusal: HandshakeRefusal };
