import { Module } from '@nestjs/common';
import { NodesModule } from '../../nodes/nodes.module.js';
import { NodeHistoryController } from './node-history.controller.js';
import { NodeHistoryStore } from './node-history.store.js';
import { OverviewController } from './overview.controller.js';
import { OverviewStore } from './overview.store.js';

@Module({
  imports: [NodesModule],
  controllers: [OverviewController, NodeHistoryController],
  providers: [OverviewStore, NodeHistoryStore],
})
export class OverviewModule {}
