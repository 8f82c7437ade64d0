import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { ReplicasModule } from '../replicas/replicas.module.js';
import { ReplicaChanges } from './replica-changes.js';
import { EventFeeds } from './event-feeds.js';
import { EventsController } from './events.controller.js';

@Module({
  imports: [AccountsModule, ReplicasModule, NodesModule, OperationsModule],
  controllers: [EventsController],
  providers: [ReplicaChanges, EventFeeds],
})
export class EventsModule {}
