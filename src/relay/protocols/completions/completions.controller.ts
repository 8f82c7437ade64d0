import { Controller, HttpCode, Post, UseFilters } from '@nestjs/common';
import { readCompletionsEnvelope } from '../../../dialects/completions/envelope.js';
import { completionsErrorFrame, completionsKeepAlive } from '../../../dialects/completions/frames.js';
import { completionsRequirements } from '../../../dialects/completions/requirements.js';
import { Inference } from '../../auth/access.js';
import { OpenAiErrorFilter } from '../../platform/http/errors/error-filters.js';
import type { EventStream, StreamFormat } from '../../platform/http/event-stream.js';
import type { WholeAnswer } from '../../platform/http/whole-answer.js';
import { InferenceAnswers } from '../inference-answers.service.js';
import { Call, type InferenceCall } from '../inference-call.js';

const completionsFormat: StreamFormat = { keepAlive: completionsKeepAlive, terminal: completionsErrorFrame };

/** `POST /v1/completions` (spec §4.4). The node answers on its engine's own route. */
@Controller('v1/completions')
@UseFilters(OpenAiErrorFilter)
export class CompletionsController {
  constructor(private readonly answers: InferenceAnswers) {}

  @Post()
  @HttpCode(200)
  @Inference()
  create(@Call() call: InferenceCall): EventStream | WholeAnswer {
    const envelope = readCompletionsEnvelope(call.body.json);
    const requirements = completionsRequirements(envelope.body);
    return this.answers.answer(call, { envelope, requirements }, completionsFormat);
  }
}
