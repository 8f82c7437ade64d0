import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import type { NodeConnection } from './registry/node-connection.js';
import { NodeRegistry, type NodeStop } from './registry/node-registry.js';
import { NodesStore, type NodeSighting } from './nodes.store.js';
import { printable } from '../../kernel/printable.js';

const EVERY_MS = 60_000;
/** One statement never grows beyond this many nodes. */
const BATCH_NODES = 1_000;

/**
 * Stores once a minute which nodes are connected, and at once which have been stopped, and deletes expired nonces. A crash loses at most a
 * minute of `last_seen`.
 */
@Injectable()
export class LastSeenWriter implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('Nodes');
  private timer: NodeJS.Timeout | undefined;
  private stops: Subscription | undefined;

  constructor(
    private readonly registry: NodeRegistry,
    private readonly store: NodesStore,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.write(), EVERY_MS).unref();
    this.stops = this.registry.stops$.subscribe((stop) => void this.writeStop(stop));
  }

  /** Before, because after it sockets and database are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stops?.unsubscribe();
    await this.write();
  }

  /** Never rejects. Lost with the database, the node counts as lost, too. */
  private async writeStop(stop: NodeStop): Promise<void> {
    try {
      await this.store.markStopped(stop);
    } catch (error) {
      this.logger.warn('the stop of a node not stored', { node: stop.nodeId, error: String(error) });
    }
  }

  /** Never rejects. */
  async write(): Promise<void> {
    const sightings = Array.from(this.registry.active(), toSighting);
    try {
      for (let start = 0; start < sightings.length; start += BATCH_NODES) {
        await this.store.markSeen(sightings.slice(start, start + BATCH_NODES));
      }
      await this.store.pruneNonces(2 * this.config.settings.linkNonceLifetimeMs);
    } catch (error) {
      this.logger.warn('node sightings not stored', { error: String(error) });
    }
  }
}

const toSighting = ({ accountId, nodeId, hello }: NodeConnection): NodeSighting => ({
  accountId,
  nodeId,
  platform: printable(hello?.platform ?? '', 'unknown'),
  agentVersion: printable(hello?.agent_version ?? '', 'unknown'),
});
