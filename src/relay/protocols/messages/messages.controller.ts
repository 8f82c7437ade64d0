import type { IncomingMessage } from 'node:http';
import { Controller, HttpCode, Post, Req, UseFilters } from '@nestjs/common';
import { readMessagesEnvelope } from '../../../dialects/messages/envelope.js';
import { messagesErrorFrame, messagesKeepAlive } from '../../../dialects/messages/frames.js';
import { messagesRequirements } from '../../../dialects/messages/requirements.js';
import type { ClusterId } from '../../../kernel/ids.js';
import { Inference } from '../../auth/access.js';
import { ClusterPin } from '../../auth/cluster-pin.js';
import { CurrentCaller, type Caller } from '../../auth/identities.js';
import { RequestBody, type ParsedBody } from '../../platform/http/body/request-body.js';
import { AnthropicErrorFilter } from '../../platform/http/errors/error-filters.js';
import type { EventStream, StreamFormat } from '../../platform/http/event-stream.js';
import type { WholeAnswer } from '../../platform/http/whole-answer.js';
import { InferenceAnswers } from '../inference-answers.service.js';

const messagesFormat: StreamFormat = { keepAlive: messagesKeepAlive, terminal: messagesErrorFrame };

/** `POST /v1/messages` (spec §4.6). The node translates and answers in this dialect; here only the envelope is read. */
@Controller('v1/messages')
@UseFilters(AnthropicErrorFilter)
export class MessagesController {
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
    const envelope = readMessagesEnvelope(body.json);
    const requirements = messagesRequirements(envelope.body);
    return this.answers.answer({ request, caller, pin, body, envelope, requirements }, messagesFormat);
  }
}
