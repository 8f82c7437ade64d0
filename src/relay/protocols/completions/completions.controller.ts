import { Injectable } from '@nestjs/common';
import { keepAliveComment, openAiErrorFrame } from '../../../dialects/openai-frames.js';
import type { EventStream, StreamFormat } from '../../platform/http/event-stream.js';
import type { JsonResponse } from '../../platform/http/json-response.js';
import { InferenceResponder } from '../inference-responder.service.js';
import type { InferenceCall } from '../inference-call.js';

const completionsFormat: StreamFormat = {
  keepAlive: keepAliveComment,
  terminal: openAiErrorFrame,
  cutsFailures: true,
};

/** `POST /v1/completions` (docs/reference/public-api.md#create-a-text-completion). The node uses its engine's own route. */
@Injectable()
export class CompletionsController {
  constructor(private readonly answers: InferenceResponder) {}

  create(call: InferenceCall<'completions'>): EventStream | JsonResponse {
    return this.answers.answer(call, completionsFormat);
  }
}
