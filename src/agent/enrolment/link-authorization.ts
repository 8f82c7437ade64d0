import type { NodeId } from '../../kernel/ids.js';
import type { NodeKey } from './node-key.js';

interface LinkAuthorizationInput {
  readonly nodeId: NodeId;
  /** Copied from the relay's challenge. */
  readonly nonce: string;
  /** Host (with its port, where it is not the default) of the relay's public base address: a signature is good for one relay only. */
  readonly host: string;
  readonly key: NodeKey;
}

/** The `Authorization` header with which a node opens its link (docs/reference/security.md#nodes). */
export function linkAuthorization({ nodeId, nonce, host, key }: LinkAuthorizationInput): string {
  const signature = key.sign(Buffer.from(`ferry-node-link-v1\0${host}\0${nonce}\0${nodeId}`));
  return `FerryNode id=${nodeId},nonce=${nonce},sig=${signature}`;
}
