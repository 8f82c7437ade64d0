import { Inject, Injectable, Logger } from '@nestjs/common';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { Retention } from '../../platform/lifecycle/retention.js';
import type { NodeConnection } from '../registry/node-connection.js';
import { NodeRegistry } from '../registry/node-registry.js';
import { NodeMinute } from './node-minute.js';
import { NodeSamplesStore, type NodeSample } from './node-samples.store.js';

const LOOK_EVERY_MS = 5_000;
const WRITE_EVERY_MS = 60_000;
/** One statement never grows beyond this many nodes. */
const BATCH_NODES = 1_000;

/** Looks at what the linked nodes report, every few seconds, and stores the mean of each minute. A failure costs that minute only. */
@Injectable()
export class NodeSampler extends Retention {
  private readonly sampling = new Logger('Nodes');
  private minutes = new Map<NodeConnection, NodeMinute>();
  private looks: NodeJS.Timeout | undefined;
  private writes: NodeJS.Timeout | undefined;

  constructor(
    private readonly registry: NodeRegistry,
    private readonly store: NodeSamplesStore,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {
    super({ context: 'Nodes', everyMs: 3_600_000, failureMessage: 'old samples of nodes not deleted' });
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    this.looks = setInterval(() => {
      this.look();
    }, LOOK_EVERY_MS).unref();
    this.writes = setInterval(() => void this.write(), WRITE_EVERY_MS).unref();
  }

  override async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.looks);
    clearInterval(this.writes);
    await super.beforeApplicationShutdown();
    await this.write();
  }

  look(): void {
    if (this.config.settings.historyRetentionDays === 0) return;
    for (const connection of this.registry.active()) {
      if (connection.status === null) continue;
      let minute = this.minutes.get(connection);
      if (minute === undefined) this.minutes.set(connection, (minute = new NodeMinute()));
      minute.add(connection.status);
    }
  }

  /** Never rejects. */
  async write(): Promise<void> {
    const samples = Array.from(this.minutes, ([{ accountId, nodeId }, minute]): NodeSample => ({
      accountId,
      nodeId,
      ...minute.mean(),
    }));
    this.minutes = new Map();
    try {
      for (let start = 0; start < samples.length; start += BATCH_NODES) {
        await this.store.save(samples.slice(start, start + BATCH_NODES));
      }
    } catch (error) {
      this.sampling.warn('samples of nodes not stored', { error: String(error) });
    }
  }

  protected override async pruneAll(): Promise<void> {
    const { historyRetentionDays: days } = this.config.settings;
    await this.inBatches((rows) => this.store.prune(days, rows));
  }
}
