import { Inject, Injectable } from '@nestjs/common';
import { messagesErrorFrame, messagesKeepAlive } from '../../../dialects/messages/frames.js';
import { ResponseIds } from '../../../kernel/response-id.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import type { EventStream, StreamFormat } from '../../platform/http/event-stream.js';
import type { JsonResponse } from '../../platform/http/json-response.js';
import { InferenceResponder } from '../inference-responder.service.js';
import type { InferenceCall } from '../inference-call.js';

const messagesFormat: StreamFormat = { keepAlive: messagesKeepAlive, terminal: messagesErrorFrame };

/**
 * `POST /v1/messages` (docs/reference/public-api.md#create-a-message). The node translates and responds in this dialect; the relay reads only
 * the envelope. It names an answer that a thread may continue, as those of `responses`.
 */
@Injectable()
export class MessagesController {
  private readonly threadIds: ResponseIds;

  constructor(
    private readonly answers: InferenceResponder,
    @Inject(RELAY_CONFIG) { secret }: RelayConfig,
  ) {
    this.threadIds = new ResponseIds(secret, 'msg_');
  }

  create(call: InferenceCall<'messages'>): EventStream | JsonResponse {
    const { thread } = call.understood.envelope;
    if (thread === null) return this.answers.answer(call, messagesFormat);
    const { accountId } = call.caller;
    return this.answers.answer(call, messagesFormat, {
      ...(thread.type === 'continue' && {
        continuation: {
          pinnedNode: this.threadIds.nodeOf(accountId, thread.previousMessageId) ?? null,
          param: 'thread.previous_message_id',
        },
      }),
      responseId: (nodeId) => this.threadIds.create(accountId, nodeId),
    });
  }
}
