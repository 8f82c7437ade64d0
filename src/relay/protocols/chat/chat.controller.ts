import type { IncomingMessage } from 'node:http';
import { Controller, HttpCode, Post, Req, UseFilters } from '@nestjs/common';
import { readChatEnvelope } from '../../../dialects/chat/envelope.js';
import { chatErrorFrame, chatKeepAlive } from '../../../dialects/chat/frames.js';
import { chatRequirements } from '../../../dialects/chat/requirements.js';
import type { ClusterId } from '../../../kernel/ids.js';
import { Inference } from '../../auth/access.js';
import { ClusterPin } from '../../auth/cluster-pin.js';
import { CurrentCaller, type Caller } from '../../auth/identities.js';
import { RequestBody, type ParsedBody } from '../../platform/http/body/request-body.js';
import { OpenAiErrorFilter } from '../../platform/http/errors/error-filters.js';
import type { EventStream, StreamFormat } from '../../platform/http/event-stream.js';
import type { WholeAnswer } from '../../platform/http/whole-answer.js';
import { InferenceAnswers } from '../inference-answers.service.js';

const chatFormat: StreamFormat = { keepAlive: chatKeepAlive, terminal: chatErrorFrame };

/** `POST /v1/chat/completions` (spec §4.3). The node answers in this dialect; here only the envelope is read. */
@Controller('v1/chat/completions')
@UseFilters(OpenAiErrorFilter)
export class ChatController {
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
    const envelope = readChatEnvelope(body.json);
    const requirements = chatRequirements(envelope.body);
    return this.answers.answer({ request, caller, pin, body, envelope, requirements }, chatFormat);
  }
}
