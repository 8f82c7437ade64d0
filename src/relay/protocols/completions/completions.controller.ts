import type { IncomingMessage } from 'node:http';
import { Controller, HttpCode, Post, Req, UseFilters } from '@nestjs/common';
import { readCompletionsEnvelope } from '../../../dialects/completions/envelope.js';
import { completionsErrorFrame, completionsKeepAlive } from '../../../dialects/completions/frames.js';
import { completionsRequirements } from '../../../dialects/completions/requirements.js';
import type { ClusterId } from '../../../kernel/ids.js';
import { Inference } from '../../auth/access.js';
import { ClusterPin } from '../../auth/cluster-pin.js';
import { CurrentCaller, type Caller } from '../../auth/identities.js';
import { RequestBody, type ParsedBody } from '../../platform/http/body/request-body.js';
import { OpenAiErrorFilter } from '../../platform/http/errors/error-filters.js';
import type { EventStream, StreamFormat } from '../../platform/http/event-stream.js';
import type { WholeAnswer } from '../../platform/http/whole-answer.js';
import { InferenceAnswers } from '../inference-answers.service.js';

const completionsFormat: StreamFormat = { keepAlive: completionsKeepAlive, terminal: completionsErrorFrame };

/** `POST /v1/completions` (spec §4.4). The node answers on its engine's own route. */
@Controller('v1/completions')
@UseFilters(OpenAiErrorFilter)
export class CompletionsController {
  constructor(private readonly answers: InferenceAnswers) {}

  @Post()
  @HttpCode(200)
  @Inference()
  create(
    @Req() request: IncomingMessage,
    @CurrentCaller() caller: Caller,
    @ClusterPin() pin: ClusterId | null,
    @RequestBody() body: ParsedBody,
  ): EventStream | WholeAnswer {
    const envelope = readCompletionsEnvelope(body.json);
    const requirements = completionsRequirements(envelope.body);
    return this.answers.answer({ request, caller, pin, body, envelope, requirements }, completionsFormat);
  }
}
