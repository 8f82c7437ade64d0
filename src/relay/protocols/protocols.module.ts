import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { RoutingModule } from '../routing/routing.module.js';
import { InferenceCallPipe } from './inference-call.js';
import { InferenceResponder } from './inference-responder.service.js';
import { InferenceRoutes } from './inference-routes.js';
import { ModelByIdRoute } from './model-by-id/model-by-id.route.js';
import { SessionChatController } from './session-chat/session-chat.controller.js';

/** The inference protocols, and the website's chat, which is another caller of the same path. */
@Module({
  imports: [AccountsModule, InventoryModule, RoutingModule],
  controllers: [SessionChatController],
  providers: [InferenceResponder, InferenceCallPipe, InferenceRoutes, ModelByIdRoute],
})
export class ProtocolsModule {}
