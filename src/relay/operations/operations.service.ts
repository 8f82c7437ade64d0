import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { systemClock } from '../../kernel/clock.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { createOperationId, type AccountId, type OperationId } from '../../kernel/ids.js';
import { LruMap } from '../../kernel/lru-map.js';
import type { ProgressMessage, ResultMessage } from '../../link/messages.js';
import type { AuditActor } from '../audit/audit-event.js';
import { AccountPreloader } from '../nodes/account-preloader.js';
import { NodeRegistry } from '../nodes/registry/node-registry.js';
import type { NodeChange } from '../nodes/registry/online-node.js';
import type { CommandedNode, OperationReports } from '../nodes/registry/operation-reports.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { DrainRegistry } from '../platform/lifecycle/drain-registry.js';
import { LiveOperations } from './live-operations.js';
import { OperationFeed, type FeedSubscriber } from './operation-feed.js';
import {
  commandOf,
  isLive,
  liveStates,
  newOperation,
  type Operation,
  type OperationFailure,
  type OperationRequest,
  type OperationView,
} from './operation.js';
import { OperationsStore, type OperationFilter, type OperationPosition } from './operations.store.js';
import { OperationsWriter } from './operations.writer.js';

/** Limit of accounts whose live operations are marked as loaded. An evicted one is loaded again. */
const REMEMBERED_ACCOUNTS = 10_000;

export interface OperationPage {
  readonly operations: readonly OperationView[];
  /** Start of the next page; null on the last one. */
  readonly next: OperationPosition | null;
}

const NODE_REMOVED: OperationFailure = {
  code: 'node_removed',
  message: 'The node was removed from the account. What it was doing goes on there unseen, if it still runs.',
};

/**
 * Model operations on nodes (install, load, unload, remove). The node owns the execution: the relay stores the request, repeats the command
 * until the node has reported the outcome, and publishes the reports to subscribers.
 */
@Injectable()
export class OperationsService implements OperationReports, OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('Operations');
  private readonly feed: OperationFeed;
  private readonly loaded = new LruMap<AccountId, Promise<void>>(REMEMBERED_ACCOUNTS);
  private readonly live = new LiveOperations(systemClock, (accountId, operation) => {
    this.writer.mark(accountId, operation);
    this.publish(accountId, operation);
  });
  private readonly writer = new OperationsWriter({
    save: (accountId, operation) => this.store.save(accountId, operation),
    onSaved: ({ id }) => {
      this.live.forget(id);
    },
    onFailure: (error) => {
      this.logger.warn('operation not stored yet', { error: String(error) });
    },
  });

  constructor(
    private readonly store: OperationsStore,
    private readonly registry: NodeRegistry,
    private readonly preloader: AccountPreloader,
    private readonly drains: DrainRegistry,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {
    this.feed = new OperationFeed(config.settings.operationFeedsPerAccount);
  }

  onModuleInit(): void {
    // Before a node of the account appears, because its first message may be about an operation.
    this.preloader.add((accountId) => this.load(accountId));
    this.registry.reportOperationsTo(this);
    this.registry.changes$.subscribe((change) => {
      this.onNodeChange(change);
    });
    this.drains.register({
      name: 'operation feeds',
      drain: () => {
        this.feed.end();
        return Promise.resolve();
      },
    });
  }

  /** Before shutdown, after which the database is closed. */
  beforeApplicationShutdown(): Promise<void> {
    return this.writer.flush();
  }

  /**
   * Returns once the operation is stored; it then survives a restart of the relay.
   * @throws FerryError `node_offline`, `unsupported_capability` (an agent that is too old), and as `OperationsStore.insert`
   */
  async create(accountId: AccountId, request: OperationRequest, actor: AuditActor): Promise<OperationView> {
    await this.load(accountId);
    this.requireCommandable(accountId, request);
    const operation = newOperation(createOperationId(), request, new Date(systemClock.wallMs()));
    const { operationsPerNode, operationsPerAccount, operationsKeptPerAccount } = this.config.settings;
    const limits = {
      perNode: operationsPerNode,
      perAccount: operationsPerAccount,
      kept: operationsKeptPerAccount,
    };
    await this.store.insert(accountId, operation, limits, actor);
    this.live.add(accountId, operation);
    this.logger.log('operation begins', { operation: operation.id, kind: operation.kind, node: operation.nodeId });
    this.publish(accountId, operation);
    this.registry.sendCommand(accountId, operation.nodeId, commandOf(operation));
    return this.view(accountId, operation);
  }

  /**
   * Requests a cancel, now or when the node reconnects; the outcome shows the effect. Finished operations do not change.
   * @throws FerryError `not_found`
   */
  async cancel(accountId: AccountId, id: OperationId, actor: AuditActor): Promise<OperationView> {
    await this.load(accountId);
    const asked = this.live.find(accountId, id);
    if (asked?.cancelRequested === false) await this.store.recordCancel(accountId, asked, actor);
    const operation = this.live.requestCancel(accountId, id);
    if (operation === undefined) return this.get(accountId, id);
    this.registry.sendCommand(accountId, operation.nodeId, { verb: 'cancel', operation_id: id });
    return this.view(accountId, operation);
  }

  /** @throws FerryError `not_found` */
  async get(accountId: AccountId, id: OperationId): Promise<OperationView> {
    await this.load(accountId);
    const operation = this.live.find(accountId, id) ?? (await this.store.find(accountId, id));
    if (operation === undefined) throw new FerryError('not_found', 'There is no operation with this id.');
    return this.view(accountId, operation);
  }

  /** Newest first. A page may be shorter than its limit although more follow, because stored states may be outdated. */
  async list(accountId: AccountId, filter: OperationFilter): Promise<OperationPage> {
    await this.load(accountId);
    const { states, limit } = filter;
    const stored = await this.store.list(accountId, {
      ...filter,
      states: states.some((state) => liveStates.includes(state)) ? [...new Set([...states, ...liveStates])] : states,
      limit: limit + 1,
    });
    const page = stored.slice(0, limit);
    const operations = page
      .map((operation) => this.live.find(accountId, operation.id) ?? operation)
      .filter(({ state }) => states.length === 0 || states.includes(state))
      .map((operation) => this.view(accountId, operation));
    return { operations, next: stored.length > limit ? (page.at(-1) ?? null) : null };
  }

  /** Unfinished operations, oldest first. */
  async unfinished(accountId: AccountId): Promise<readonly OperationView[]> {
    await this.load(accountId);
    return this.live.ofAccount(accountId).map((operation) => this.view(accountId, operation));
  }

  /** @returns ends the subscription. @throws FerryError as `OperationFeed.subscribe` */
  watch(accountId: AccountId, subscriber: FeedSubscriber): () => void {
    return this.feed.subscribe(accountId, subscriber);
  }

  onNodeReady(node: CommandedNode): void {
    for (const operation of this.live.ofNode(node.accountId, node.nodeId)) {
      // A node that does not know the operation answers a cancel with an outcome and starts nothing.
      const { id, cancelRequested } = operation;
      node.sendCommand(cancelRequested ? { verb: 'cancel', operation_id: id } : commandOf(operation));
    }
  }

  onProgress({ accountId, nodeId }: CommandedNode, message: ProgressMessage): void {
    this.live.progress(accountId, nodeId, message);
  }

  onResult({ accountId, nodeId }: CommandedNode, message: ResultMessage): void {
    this.live.result(accountId, nodeId, message);
  }

  private onNodeChange({ accountId, nodeId, kind }: NodeChange): void {
    switch (kind) {
      case 'inventory':
      case 'status':
        return;
      case 'connected':
      case 'disconnected':
        for (const operation of this.live.ofNode(accountId, nodeId)) this.publish(accountId, operation);
        return;
      case 'revoked':
        this.live.failOfNode(accountId, nodeId, NODE_REMOVED);
        return;
      default:
        kind satisfies never;
    }
  }

  private requireCommandable(accountId: AccountId, { nodeId, loadAfter }: OperationRequest): void {
    const node = this.registry.find(accountId, nodeId);
    if (node === undefined) throw new FerryError('node_offline');
    if (node.takesCommands && loadAfter && !node.loadsAfterInstall) {
      throw new FerryError(
        'unsupported_capability',
        'The agent on this node is too old to load what it installs. Update it, or install first and load then.',
        { param: 'load' },
      );
    }
    if (node.takesCommands) return;
    throw new FerryError('unsupported_capability', 'The agent on this node is too old to manage models. Update it.', {
      param: 'node_id',
    });
  }

  /** Once per account: from then on the state in memory is newer than the database. */
  private load(accountId: AccountId): Promise<void> {
    const known = this.loaded.get(accountId);
    if (known !== undefined) return known;
    const loading = this.readLive(accountId);
    // Callers that wait get the rejection; the next call retries.
    loading.catch(() => this.loaded.delete(accountId));
    this.loaded.set(accountId, loading);
    return loading;
  }

  private async readLive(accountId: AccountId): Promise<void> {
    await this.store.failOfRevokedNodes(accountId, NODE_REMOVED);
    for (const operation of await this.store.live(accountId)) this.live.add(accountId, operation);
  }

  private publish(accountId: AccountId, operation: Operation): void {
    if (!isLive(operation)) {
      const { id, kind, nodeId, state, failure } = operation;
      this.logger.log('operation over', { operation: id, kind, node: nodeId, state, failure: failure?.code ?? null });
    }
    if (this.feed.watched(accountId)) this.feed.publish(accountId, this.view(accountId, operation));
  }

  private view(accountId: AccountId, operation: Operation): OperationView {
    return {
      ...operation,
      nodeOnline: this.registry.find(accountId, operation.nodeId) !== undefined,
      bytesPerSecond: this.live.bytesPerSecond(accountId, operation.id),
    };
  }
}
