import { Controller, HttpCode, Post, UseFilters } from '@nestjs/common';
import { keepAliveComment, openAiErrorFrame } from '../../../dialects/openai-frames.js';
import { Inference } from '../../platform/access/access.js';
import { OpenAiErrorFilter } from '../../platform/http/errors/error-filters.js';
import type { EventStream, StreamFormat } from '../../platform/http/event-stream.js';
import type { JsonResponse } from '../../platform/http/json-response.js';
import { InferenceResponder } from '../inference-responder.service.js';
import { Call, type InferenceCall } from '../inference-call.js';

const completionsFormat: StreamFormat = {
  keepAlive: keepAliveComment,
  terminal: openAiErrorFrame,
  cutsFailures: true,
};

/** `POST /v1/completions` (docs/reference/public-api.md#create-a-text-completion). The node uses its engine's own route. */
@Controller('v1/completions')
@UseFilters(OpenAiErrorFilter)
export class CompletionsController {
  constructor(private readonly answers: InferenceResponder) {}

  @Post()
  @HttpCode(200)
  @Inference()
  create(@Call('completions') call: InferenceCall<'completions'>): EventStream | JsonResponse {
    return this.answers.answer(call, completionsFormat);
  }
}
