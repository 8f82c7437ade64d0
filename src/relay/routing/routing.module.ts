import { Module } from '@nestjs/common';
import { InventoryModule } from '../inventory/inventory.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { RequestsController } from './explain/requests.controller.js';
import { OutcomeLog } from './request/outcome-log.js';
import { OutcomeSinks } from './request/outcome-sinks.js';
import { RoutingService } from './routing.service.js';

@Module({
  imports: [KeysModule, NodesModule, InventoryModule, UsageModule],
  controllers: [RequestsController],
  providers: [OutcomeLog, OutcomeSinks, RoutingService],
  exports: [RoutingService],
})
export class RoutingModule {}
