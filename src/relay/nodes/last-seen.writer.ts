import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import type { NodeConnection } from './registry/node-connection.js';
import { NodeRegistry } from './registry/node-registry.js';
import { NodesStore, type NodeSighting } from './nodes.store.js';
import { printable } from '../../kernel/printable.js';

const EVERY_MS = 60_000;
/** One statement never grows beyond this many nodes. */
const BATCH_NODES = 1_000;

/** Stores once a minute which nodes are connected, and deletes expired nonces. A crash loses at most a minute of `last_seen`. */
@Injectable()
export class LastSeenWriter implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('Nodes');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly registry: NodeRegistry,
    private readonly store: NodesStore,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.write(), EVERY_MS).unref();
  }

  /** Before, because after it sockets and database are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
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
