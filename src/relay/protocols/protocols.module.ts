import { Module } from '@nestjs/common';
import { RoutingModule } from '../routing/routing.module.js';
import { ChatController } from './chat/chat.controller.js';
import { CompletionsController } from './completions/completions.controller.js';
import { InferenceCallPipe } from './inference-call.js';
import { InferenceResponder } from './inference-responder.service.js';
import { InferenceRoutes } from './inference-routes.js';
import { MessagesController } from './messages/messages.controller.js';
import { ResponsesController } from './responses/responses.controller.js';

@Module({
  imports: [RoutingModule],
  providers: [
    InferenceResponder,
    InferenceCallPipe,
    ChatController,
    CompletionsController,
    MessagesController,
    ResponsesController,
    InferenceRoutes,
  ],
  exports: [InferenceResponder],
})
export class ProtocolsModule {}
