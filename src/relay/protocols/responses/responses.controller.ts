import { Inject, Injectable } from '@nestjs/common';
import { systemClock } from '../../../kernel/clock.js';
import type { NodeId, AccountId } from '../../../kernel/ids.js';
import { ResponseIds, nodeOfItem } from '../../../kernel/response-id.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import type { EventStream } from '../../platform/http/event-stream.js';
import type { JsonResponse } from '../../platform/http/json-response.js';
import { InferenceResponder } from '../inference-responder.service.js';
import type { InferenceCall } from '../inference-call.js';
import { ResponsesFormat } from './responses-format.js';
import type { ResponsesEnvelope } from '../../../dialects/responses/envelope.js';
import type { Continuation } from '../../routing/selection/eligibility.js';

/**
 * `POST /v1/responses` (docs/reference/public-api.md#create-a-response). The node translates and stores the conversation; the relay
 * assigns the id.
 */
@Injectable()
export class ResponsesController {
  private readonly ids: ResponseIds;

  constructor(
    private readonly answers: InferenceResponder,
    @Inject(RELAY_CONFIG) { secret }: RelayConfig,
  ) {
    this.ids = new ResponseIds(secret);
  }

  create(call: InferenceCall<'responses'>): EventStream | JsonResponse {
    const { envelope } = call.understood;
    const format = new ResponsesFormat(envelope, systemClock);
    const { accountId } = call.caller;
    return this.answers.answer(call, format, {
      continuation: continuationOf(envelope, accountId, this.ids),
      responseId: (nodeId: NodeId) => (format.responseId = this.ids.create(accountId, nodeId)),
    });
  }
}

/** The response that a request continues, which determines its node (docs/reference/engines.md#stored-conversations). */

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
