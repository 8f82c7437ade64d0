import { Global, Logger, Module } from '@nestjs/common';
import { systemClock } from '../../../kernel/clock.js';
import { LIVE_REPLICAS } from '../../nodes/handshake/live-replicas.js';
import { NODES_OF_REPLICAS } from '../../nodes/registry/reachable-nodes.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { MessageBus } from '../bus/message-bus.js';
import { ReplicasModule } from '../replicas.module.js';
import { KnownReplicas } from './known-replicas.js';
import { NodesOfOtherReplicas } from './nodes-of-other-replicas.js';
import { PresenceTable } from './presence-table.js';

function createTable({ settings }: RelayConfig): PresenceTable {
  const logger = new Logger('Replicas');
  const table: PresenceTable = new PresenceTable(systemClock, settings, (replica, event) => {
    const fields = { replica, serving: table.servingReplicas };
    if (event === 'silent' || event === 'forgotten') logger.warn(`replica ${event}`, fields);
    else logger.log(`replica ${event}`, fields);
  });
  return table;
}

const createKnownReplicas = (table: PresenceTable, bus: MessageBus, { settings }: RelayConfig): KnownReplicas =>
  new KnownReplicas({
    table,
    bus,
    clock: systemClock,
    linkAddress: settings.linkUrl ?? null,
    settleMs: settings.presenceSilentAfterMs,
  });

const createNodes = (table: PresenceTable, bus: MessageBus, { settings }: RelayConfig): NodesOfOtherReplicas =>
  new NodesOfOtherReplicas({ bus, table, timeoutMs: settings.replicaAnswerTimeoutMs });

/**
 * The other replicas and their nodes, as far as presence has told of them: a relay that runs alone has none. Global, because the nodes
 * of this replica are told of the others, and are below presence.
 */
@Global()
@Module({
  imports: [ReplicasModule],
  providers: [
    { provide: PresenceTable, inject: [RELAY_CONFIG], useFactory: createTable },
    { provide: LIVE_REPLICAS, inject: [PresenceTable, MessageBus, RELAY_CONFIG], useFactory: createKnownReplicas },
    { provide: NODES_OF_REPLICAS, inject: [PresenceTable, MessageBus, RELAY_CONFIG], useFactory: createNodes },
  ],
  exports: [PresenceTable, LIVE_REPLICAS, NODES_OF_REPLICAS],
})
export class OtherReplicasModule {}
