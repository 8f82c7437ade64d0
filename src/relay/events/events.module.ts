import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { EventFeeds } from './event-feeds.js';
import { EventsController } from './events.controller.js';

@Module({
  imports: [AccountsModule, NodesModule, OperationsModule],
  controllers: [EventsController],
  providers: [EventFeeds],
})
export class EventsModule {}
