import { Controller, HttpCode, Post, UseFilters, UseGuards } from '@nestjs/common';
import { CredentialsService } from '../accounts/credentials.service.js';
import { AccountChanges } from '../api/account-changes.js';
import { RateGuard } from '../limits/management-rates.js';
import { Management } from '../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../platform/access/request-principal.js';
import { ManagementErrorFilter } from '../platform/http/errors/error-filters.js';
import type { EventStream } from '../platform/http/event-stream.js';
import type { JsonResponse } from '../platform/http/json-response.js';
import { ApiAlternatives, ApiErrors } from '../platform/openapi/answers.js';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '../platform/openapi/decorators.js';
import { chatFormat } from '../protocols/chat/chat.controller.js';
import { Call, type InferenceCall } from '../protocols/inference-call.js';
import { InferenceResponder } from '../protocols/inference-responder.service.js';
import { SessionCallerGuard } from './session-caller.guard.js';
import { SignedInAnswer } from './signed-in-answer.js';

/** A session that was ended on another replica keeps an answer for at most this long. */
const SESSION_CHECK_MS = 10_000;

const EXAMPLE_STREAM =
  'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\ndata: [DONE]\n\n';

/**
 * The chat of the website: the request path of `POST /v1/chat/completions` for somebody who is signed in, so that no API key has to be in
 * the browser. No `ManagementController`: the body is a prompt, counted and read like that of every inference request.
 */
@Controller('api/chat')
@ApiTags('Models and operations')
@Management('member')
@UseFilters(ManagementErrorFilter)
@UseGuards(RateGuard, SessionCallerGuard)
export class SessionChatController {
  constructor(
    private readonly answers: InferenceResponder,
    private readonly credentials: CredentialsService,
    private readonly changes: AccountChanges,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'chat',
    summary: 'Chat as the signed-in person',
    description:
      'Request and answer are those of `POST /v1/chat/completions`, with the same routing, limits of the account and metering. ' +
      'Usage and the request log name the person in the place of the key. Takes no `Idempotency-Key`. ' +
      'A failure before the answer is a problem; a failure inside a stream is the error chunk of `/v1`. ' +
      'The answer ends with `invalid_credential` when the session does.',
  })
  @ApiBody({
    schema: {
      type: 'object',
      required: ['model', 'messages'],
      properties: {
        model: { type: 'string', example: 'tiny' },
        messages: { type: 'array', items: { type: 'object' }, example: [{ role: 'user', content: 'Hello!' }] },
        stream: { type: 'boolean', example: true },
      },
      additionalProperties: true,
    },
  })
  @ApiResponse({ status: 200, description: 'A chat completion, or its chunks as Server-Sent Events.' })
  @ApiAlternatives({ 'text/event-stream': EXAMPLE_STREAM })
  @ApiErrors('cluster_not_found', 'model_not_found', 'context_length_exceeded', 'no_node_for_user', 'draining')
  create(
    @Call('chat') call: InferenceCall<'chat'>,
    @CurrentPrincipal() { accountId, credential }: Principal,
  ): EventStream | JsonResponse {
    return this.answers.answer(call, chatFormat, {
      through: (answer) =>
        new SignedInAnswer(answer, {
          isActive: () => this.credentials.isActive(accountId, credential),
          onChange: (listener) =>
            this.changes.listen(accountId, (topic) => {
              if (topic === 'sessions' || topic === 'users') listener();
            }),
          checkEveryMs: SESSION_CHECK_MS,
        }),
    });
  }
}
