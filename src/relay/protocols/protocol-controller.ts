import { systemClock } from '../../kernel/clock.js';
import type { NodeId } from '../../kernel/ids.js';
import { ResponseIds } from '../../kernel/response-id.js';
import type { Protocol } from '../../dialects/protocol.js';
import type { EventStream } from '../platform/http/event-stream.js';
import type { JsonResponse } from '../platform/http/json-response.js';
import type { InferenceCall } from './inference-call.js';
import type { InferenceResponder } from './inference-responder.service.js';

/** Answers the requests of one protocol. The node responds in this protocol; the relay reads only the envelope. */
export class ProtocolController {
  private readonly ids: ResponseIds | undefined;

  /** @param secret `FERRY_SECRET`, which signs the ids of responses */
  constructor(
    private readonly protocol: Protocol,
    private readonly responder: Pick<InferenceResponder, 'respond'>,
    secret: string,
  ) {
    const { continued } = protocol;
    this.ids = continued && new ResponseIds(secret, continued.idPrefix);
  }

  create(call: InferenceCall): EventStream | JsonResponse {
    const { protocol, responder, ids } = this;
    const { envelope } = call.understood;
    const format = protocol.format(envelope, systemClock);
    const { accountId } = call.caller;
    const use = ids && protocol.continued?.use(envelope, accountId, ids);
    const inputs = protocol.inputs?.(envelope);
    if (inputs !== undefined) return responder.respond(call, format, { inputs });
    if (ids === undefined || use === undefined) return responder.respond(call, format);
    return responder.respond(call, format, {
      continuation: use.continuation,
      responseId: (nodeId: NodeId) => {
        const id = ids.create(accountId, nodeId);
        format.named?.(id);
        return id;
      },
    });
  }
}
