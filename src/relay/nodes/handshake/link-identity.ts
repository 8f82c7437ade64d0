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
   * Grows with every connection of the node: of two links, the one with the higher epoch is the newer
   * (docs/reference/link.md#superseding).
   */
  readonly epoch: number;
}

/** The answer instead of a 101. `message` is the whole plain-text body. */
export interface HandshakeRefusal {
  readonly status: 400 | 401 | 403 | 426 | 429 | 503;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

export type HandshakeResult =
  | { readonly kind: 'admitted'; readonly identity: LinkIdentity }
  /** Nobody: the socket is opened only to be closed. */
  | { readonly kind: 'check' }
  | { readonly kind: 'refused'; readonly refusal: HandshakeRefusal };
