import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { OperationEventsController } from './operation-events.controller.js';
import { OperationRecords } from './operation-records.js';
import { OperationTargets } from './operation-targets.js';
import { OperationsController } from './operations.controller.js';
import { OperationEntity } from './operation.entity.js';
import { OperationsService } from './operations.service.js';
import { OperationsStore } from './operations.store.js';

@Module({
  imports: [TypeOrmModule.forFeature([OperationEntity]), AccountsModule, NodesModule, InventoryModule],
  // The controller of `events` comes first, before the route with an id.
  controllers: [OperationEventsController, OperationsController],
  providers: [OperationsStore, OperationsService, OperationTargets, OperationRecords],
  exports: [OperationsService, OperationRecords],
})
export class OperationsModule {}
