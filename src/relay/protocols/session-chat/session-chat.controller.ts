import type { StreamFormat } from '../../../dialects/stream-format.js';
import { Controller, HttpCode, Post, UseFilters, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from 'nest-swagger';
import { keepAliveComment, openAiErrorFrame } from '../../../dialects/openai-frames.js';
import { CredentialsService } from '../../accounts/credentials.service.js';
import { AccountChanges } from '../../platform/api/account-changes.js';
import { RateGuard } from '../../platform/limits/management-rates.js';
import { Requires } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { ManagementErrorFilter } from '../../platform/http/errors/error-filters.js';
import type { EventStream } from '../../platform/http/event-stream.js';
import type { JsonResponse } from '../../platform/http/json-response.js';
import { ApiAlternatives, ApiErrors } from '../../platform/openapi/responses.js';
import { Call, type InferenceCall } from '../inference-call.js';
import { InferenceResponder } from '../inference-responder.service.js';
import { SessionCallerGuard } from './session-caller.guard.js';
import { SignedInResponse } from './signed-in-response.js';

/** The website knows the error event: the connection goes on. */
const sessionChatFormat: StreamFormat = { keepAlive: keepAliveComment, terminal: openAiErrorFrame };

/** Maximum duration of a response after its session was ended on another replica. */
const SESSION_CHECK_MS = 10_000;

const EXAMPLE_STREAM =
  'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\ndata: [DONE]\n\n';

/**
 * The chat of the website: the request path of `POST /v1/chat/completions` for a signed-in user, so that the browser needs no API
 * key. Not a `ManagementController`, because the body is read like that of an inference request.
 */
@Controller('api/chat')
@ApiTags('Models and operations')
@Requires('chat:write')
@UseFilters(ManagementErrorFilter)
@UseGuards(RateGuard, SessionCallerGuard)
export class SessionChatController {
  constructor(
    private readonly responder: InferenceResponder,
    private readonly credentials: CredentialsService,
    private readonly changes: AccountChanges,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'chat',
    summary: 'Chat as the signed-in user',
    description:
      'Same request and response as `POST /v1/chat/completions`, with the same routing, account limits and metering. ' +
      'Usage and the request log show the user instead of a key. Does not accept an `Idempotency-Key`. ' +
      'A failure before the response is a problem document; a failure within a stream is an error chunk as in `/v1`. ' +
      'The response ends with `invalid_credential` when the session ends.',
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
  @ApiResponse({ status: 200, description: 'A chat completion, or its chunks as server-sent events.' })
  @ApiAlternatives({ 'text/event-stream': EXAMPLE_STREAM })
  @ApiErrors('cluster_not_found', 'model_not_found', 'context_length_exceeded', 'no_node_for_user', 'draining')
  create(
    @Call('chat') call: InferenceCall,
    @CurrentPrincipal() { accountId, credential }: Principal,
  ): EventStream | JsonResponse {
    return this.responder.respond(call, sessionChatFormat, {
      through: (response) =>
        new SignedInResponse(response, {
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
