import { Module } from '@nestjs/common';
import { InventoryModule } from '../inventory/inventory.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { RequestsController } from './explain/requests.controller.js';
import { StoppedRequestsStore } from './explain/stopped-requests.store.js';
import { OutcomeRecorder } from './request/outcome-recorder.js';
import { RoutingService } from './routing.service.js';

@Module({
  imports: [KeysModule, NodesModule, InventoryModule, UsageModule],
  controllers: [RequestsController],
  providers: [OutcomeRecorder, RoutingService, StoppedRequestsStore],
  exports: [RoutingService],
})
export class RoutingModule {}
