import { Injectable } from '@nestjs/common';
import { keepAliveComment, openAiErrorFrame } from '../../../dialects/openai-frames.js';
import type { EventStream, StreamFormat } from '../../platform/http/event-stream.js';
import type { JsonResponse } from '../../platform/http/json-response.js';
import { InferenceResponder } from '../inference-responder.service.js';
import type { InferenceCall } from '../inference-call.js';

const chatFormat: StreamFormat = { keepAlive: keepAliveComment, terminal: openAiErrorFrame, cutsFailures: true };

/**
 * `POST /v1/chat/completions` (docs/reference/public-api.md#create-a-chat-completion). The node responds in this dialect; the relay reads
 * only the envelope.
 */
@Injectable()
export class ChatController {
  constructor(private readonly answers: InferenceResponder) {}

  create(call: InferenceCall<'chat'>): EventStream | JsonResponse {
    return this.answers.answer(call, chatFormat);
  }
}
