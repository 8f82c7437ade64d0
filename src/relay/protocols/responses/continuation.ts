/** What a responses request goes on from, and so which node must serve it (docs/reference/engines.md#stored-conversations). */
import type { ResponsesEnvelope } from '../../../dialects/responses/envelope.js';
import type { AccountId, NodeId } from '../../../kernel/ids.js';
import { nodeOfItem, type ResponseIds } from '../../../kernel/response-id.js';
import type { Continuation } from '../../routing/selection/eligibility.js';

/** Undefined for a request that brings its whole conversation along. */
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

/** Items of two nodes are nowhere together. */
function commonNode(itemIds: readonly string[]): NodeId | null {
  const nodes = new Set(itemIds.map(nodeOfItem));
  const [node] = nodes;
  return nodes.size === 1 ? (node ?? null) : null;
}
