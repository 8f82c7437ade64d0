import { Module } from '@nestjs/common';
import { NodesModule } from '../../nodes/nodes.module.js';
import { OverviewController } from './overview.controller.js';
import { OverviewStore } from './overview.store.js';

@Module({ imports: [NodesModule], controllers: [OverviewController], providers: [OverviewStore] })
export class OverviewModule {}
