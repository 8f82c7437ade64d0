import { Module } from '@nestjs/common';
import { InventoryModule } from '../inventory/inventory.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { OutcomeLog } from './request/outcome-log.js';
import { RoutingService } from './routing.service.js';

@Module({
  imports: [KeysModule, NodesModule, InventoryModule],
  providers: [OutcomeLog, RoutingService],
  exports: [RoutingService],
})
export class RoutingModule {}
