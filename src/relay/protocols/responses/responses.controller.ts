import type { IncomingMessage } from 'node:http';
import { Controller, HttpCode, Inject, Post, Req, UseFilters } from '@nestjs/common';
import { readResponsesEnvelope } from '../../../dialects/responses/envelope.js';
import { responsesRequirements } from '../../../dialects/responses/requirements.js';
import { systemClock } from '../../../kernel/clock.js';
import type { ClusterId, NodeId } from '../../../kernel/ids.js';
import { ResponseIds } from '../../../kernel/response-id.js';
import { Inference } from '../../auth/access.js';
import { ClusterPin } from '../../auth/cluster-pin.js';
import { CurrentCaller, type Caller } from '../../auth/identities.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { RequestBody, type ParsedBody } from '../../platform/http/body/request-body.js';
import { OpenResponsesErrorFilter } from '../../platform/http/errors/error-filters.js';
import type { EventStream } from '../../platform/http/event-stream.js';
import type { WholeAnswer } from '../../platform/http/whole-answer.js';
import { InferenceAnswers } from '../inference-answers.service.js';
import { continuationOf } from './continuation.js';
import { ResponsesFormat } from './responses-format.js';

/** `POST /v1/responses` (spec §4.5). The node translates and keeps the conversation; here it gets its name. */
@Controller('v1/responses')
@UseFilters(OpenResponsesErrorFilter)
export class ResponsesController {
  private readonly ids: ResponseIds;

  constructor(
    private readonly answers: InferenceAnswers,
    @Inject(RELAY_CONFIG) { secret }: RelayConfig,
  ) {
    this.ids = new ResponseIds(secret);
  }

  @Post()
  @HttpCode(200)
  @Inference()
  create(
    @Req() request: IncomingMessage,
    @CurrentCaller() caller: Caller,
    @ClusterPin() pin: ClusterId | null,
    @RequestBody() body: ParsedBody,
  ): EventStream | WholeAnswer {
    const envelope = readResponsesEnvelope(body.json);
    const format = new ResponsesFormat(envelope, systemClock);
    return this.answers.answer(
      {
        request,
        caller,
        pin,
        body,
        envelope,
        requirements: responsesRequirements(envelope.body),
        continuation: continuationOf(envelope, caller.accountId, this.ids),
        responseId: (nodeId: NodeId) => (format.responseId = this.ids.create(caller.accountId, nodeId)),
      },
      format,
    );
  }
}
