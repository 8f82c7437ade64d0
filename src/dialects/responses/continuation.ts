/** The response that a request continues, which determines its node (docs/reference/engines.md#stored-conversations). */
import type { AccountId, NodeId } from '../../kernel/ids.js';
import { nodeOfItem, type ResponseIds } from '../../kernel/response-id.js';
import type { Continuation } from '../protocol.js';
import type { ResponsesEnvelope } from './envelope.js';

/** Undefined for a request that contains the whole conversation. */
export function continuationOf(
  { previousResponseId, itemReferences }: Pick<ResponsesEnvelope, 'previousResponseId' | 'itemReferences'>,
  accountId: AccountId,
  ids: ResponseIds,
): Continuation | undefined {
  if (previousResponseId !== null) {
    return { pinnedNode: ids.nodeOf(accountId, previousResponseId) ?? null, param: 'previous_response_id' };
  }
  if (itemReferences.length === 0) return undefined;
  return { pinnedNode: commonNode(itemReferences), param: 'input' };
}

/** Rejects items of two different nodes, because no node has them all. */
function commonNode(itemIds: readonly string[]): NodeId | null {
  const nodes = new Set(itemIds.map(nodeOfItem));
  const [node] = nodes;
  return nodes.size === 1 ? (node ?? null) : null;
}
