import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AccessGuard } from '../auth/access.guard.js';
import { serializeAnthropicError } from '../platform/http/errors/anthropic-error.js';
import { serializeOpenAiError } from '../platform/http/errors/openai-error.js';
import { serializeOpenResponsesError } from '../platform/http/errors/openresponses-error.js';
import type { RelayHttpAdapter } from '../platform/http/relay-http-adapter.js';
import { ChatController } from './chat/chat.controller.js';
import { CompletionsController } from './completions/completions.controller.js';
import { InferenceCallPipe } from './inference-call.js';
import { InferenceExchange, type InferenceRoute } from './inference-exchange.js';
import { MessagesController } from './messages/messages.controller.js';
import { ResponsesController } from './responses/responses.controller.js';

type OwnParts = Pick<InferenceRoute, 'path' | 'dialect' | 'controller' | 'serializeError'>;

/** Registers the inference routes, which Nest and Express do not serve: half of the cost of a small request would be theirs. */
@Injectable()
export class InferenceRoutes implements OnModuleInit {
  constructor(
    private readonly adapters: HttpAdapterHost<RelayHttpAdapter>,
    private readonly guard: AccessGuard,
    private readonly calls: InferenceCallPipe,
    private readonly chat: ChatController,
    private readonly completions: CompletionsController,
    private readonly responses: ResponsesController,
    private readonly messages: MessagesController,
  ) {}

  onModuleInit(): void {
    const { chat, completions, responses, messages } = this;
    this.add({ path: '/v1/chat/completions', dialect: 'chat', controller: chat, serializeError: serializeOpenAiError });
    this.add({
      path: '/v1/completions',
      dialect: 'completions',
      controller: completions,
      serializeError: serializeOpenAiError,
    });
    this.add({
      path: '/v1/responses',
      dialect: 'responses',
      controller: responses,
      serializeError: serializeOpenResponsesError,
    });
    this.add({
      path: '/v1/messages',
      dialect: 'messages',
      controller: messages,
      serializeError: serializeAnthropicError,
    });
  }

  private add(parts: OwnParts): void {
    const { guard, calls } = this;
    const adapter = this.adapters.httpAdapter;
    const route: InferenceRoute = {
      ...parts,
      guard,
      calls,
      reply: (res, answer, status) => adapter.reply(res, answer, status),
      fail: (req, res, error) => {
        adapter.fail(req, res, error);
      },
    };
    adapter.serve(route.path, (req, res) => {
      new InferenceExchange(route, req, res).start();
    });
  }
}
