import { Controller, HttpCode, Post, UseFilters } from '@nestjs/common';
import { messagesErrorFrame, messagesKeepAlive } from '../../../dialects/messages/frames.js';
import { Inference } from '../../platform/access/access.js';
import { AnthropicErrorFilter } from '../../platform/http/errors/error-filters.js';
import type { EventStream, StreamFormat } from '../../platform/http/event-stream.js';
import type { JsonResponse } from '../../platform/http/json-response.js';
import { InferenceResponder } from '../inference-responder.service.js';
import { Call, type InferenceCall } from '../inference-call.js';

const messagesFormat: StreamFormat = { keepAlive: messagesKeepAlive, terminal: messagesErrorFrame };

/**
 * `POST /v1/messages` (docs/reference/public-api.md#create-a-message). The node translates and responds in this dialect; the relay reads only
 * the envelope.
 */
@Controller('v1/messages')
@UseFilters(AnthropicErrorFilter)
export class MessagesController {
  constructor(private readonly answers: InferenceResponder) {}

  @Post()
  @HttpCode(200)
  @Inference()
  create(@Call('messages') call: InferenceCall<'messages'>): EventStream | JsonResponse {
    return this.answers.answer(call, messagesFormat);
  }
}
