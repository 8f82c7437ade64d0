import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { systemClock } from '../../kernel/clock.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { createOperationId, type AccountId, type OperationId } from '../../kernel/ids.js';
import type { ProgressMessage, ResultMessage } from '../../link/messages.js';
import type { AuditActor } from '../accounts/audit/audit-event.js';
import { AccountPreloader } from '../nodes/account-preloader.js';
import { NodeRegistry } from '../nodes/registry/node-registry.js';
import type { NodeChange } from '../nodes/registry/online-node.js';
import type { CommandedNode, OperationReports } from '../nodes/registry/operation-reports.js';
import { ReachableNodes } from '../nodes/registry/reachable-nodes.js';
import { ChangeNotices } from '../platform/changes/change-notices.js';
import { ChangePoll } from '../platform/changes/change-poll.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { DrainRegistry } from '../platform/lifecycle/drain-registry.js';
import { CommandSender } from './command-sender.js';
import { LiveOperations } from './live-operations.js';
import { OperationFeed, type FeedSubscriber } from './operation-feed.js';
import {
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
import { StoredOperations } from './stored-operations.js';
import { UnknownReports } from './unknown-reports.js';

export interface OperationPage {
  readonly operations: readonly OperationView[];
  /** Start of the next page; null on the last one. */
  readonly next: OperationPosition | null;
}

const NODE_REMOVED: OperationFailure = {
  code: 'node_removed',
  message:
    'The node was removed from the account. Its operation may continue on that computer, but is no longer reported.',
};

/**
 * Model operations on nodes (install, load, unload, remove). The node owns the execution: the relay stores the request, repeats the command
 * until the node has reported the outcome, and publishes the reports to subscribers.
 */
@Injectable()
export class OperationsService
  implements OperationReports, OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly logger = new Logger('Operations');
  private readonly feed: OperationFeed;
  private readonly live = new LiveOperations(systemClock, (accountId, operation, reported) => {
    if (reported) {
      this.writer.mark(accountId, operation);
      this.logOutcome(operation);
    } else this.sendIfUndone(accountId, operation);
    this.publish(accountId, operation);
  });
  private readonly stored: StoredOperations;
  private readonly commands: CommandSender;
  private readonly unknown: UnknownReports;
  private readonly poll: ChangePoll;
  private readonly writer = new OperationsWriter({
    save: (accountId, { id }) => this.stored.save(accountId, id),
    onSaved: () => {
      this.notices.send('operations');
    },
    onFailure: (error) => {
      this.logger.warn('operation not stored yet', { error: String(error) });
    },
  });

  constructor(
    private readonly store: OperationsStore,
    private readonly registry: NodeRegistry,
    private readonly reachable: ReachableNodes,
    private readonly preloader: AccountPreloader,
    private readonly drains: DrainRegistry,
    private readonly notices: ChangeNotices,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {
    const { settings } = config;
    this.feed = new OperationFeed(settings.operationFeedsPerAccount);
    this.commands = new CommandSender(registry);
    this.stored = new StoredOperations({
      store,
      live: this.live,
      shared: settings.databaseUrl !== undefined,
      nodeRemoved: NODE_REMOVED,
      monotonicMs: () => systemClock.monotonicMs(),
    });
    this.unknown = new UnknownReports(this.stored, this.live);
    this.poll = new ChangePoll({
      read: () => this.stored.readChanges(this.feed.watchedAccounts),
      everyMs: settings.operationsPollMs,
      onFailure: (error) => {
        this.logger.warn('operations of other relays not read', { error: String(error) });
      },
    });
  }

  onModuleInit(): void {
    // Before a node of the account appears, because its first message may be about an operation.
    this.preloader.add((accountId) => this.stored.load(accountId));
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

  /** The embedded database has no other relay. */
  onApplicationBootstrap(): void {
    if (this.config.settings.databaseUrl === undefined) return;
    this.notices.received$.subscribe((notice) => {
      if (notice === 'operations') this.poll.notice();
    });
    this.poll.start();
  }

  /** Before shutdown, after which the database is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.poll.stop();
    await this.unknown.flush();
    await this.writer.flush();
  }

  /**
   * Returns once the operation is stored; it then survives a restart of the relay.
   * @throws FerryError `node_offline`, `unsupported_capability` (an agent that is too old), and as `OperationsStore.insert`
   */
  async create(accountId: AccountId, request: OperationRequest, actor: AuditActor): Promise<OperationView> {
    await this.stored.load(accountId);
    this.requireCommandable(accountId, request);
    const operation = newOperation(createOperationId(), request, new Date(systemClock.wallMs()));
    const { operationsPerNode, operationsPerAccount, operationsKeptPerAccount, operationFailuresKeptDays } =
      this.config.settings;
    const limits = {
      perNode: operationsPerNode,
      perAccount: operationsPerAccount,
      kept: operationsKeptPerAccount,
      failuresKeptDays: operationFailuresKeptDays,
    };
    await this.store.insert(accountId, operation, limits, actor);
    this.logger.log('operation begins', { operation: operation.id, kind: operation.kind, node: operation.nodeId });
    this.live.adopt(accountId, operation);
    this.notices.send('operations');
    return this.view(accountId, operation);
  }

  /**
   * Requests a cancel, now or when the node reconnects; the outcome shows the effect. Finished operations do not change.
   * @throws FerryError `not_found`
   */
  async cancel(accountId: AccountId, id: OperationId, actor: AuditActor): Promise<OperationView> {
    await this.stored.load(accountId);
    const stored = await this.store.requestCancel(accountId, id, actor);
    if (stored === undefined) throw noSuchOperation();
    const operation = this.stored.newest(accountId, stored);
    // Reading the row has sent it already, unless the link could not take it then.
    this.sendIfUndone(accountId, operation);
    this.notices.send('operations');
    return this.view(accountId, operation);
  }

  /** A failed one needs no attention any more; others do not change. @throws FerryError `not_found` */
  async dismiss(accountId: AccountId, id: OperationId, actor: AuditActor): Promise<OperationView> {
    // The failure itself may not be stored yet.
    await this.writer.flush();
    const operation = await this.store.dismiss(accountId, id, actor);
    if (operation === undefined) throw noSuchOperation();
    this.publish(accountId, operation);
    return this.view(accountId, operation);
  }

  /** @throws FerryError `not_found` */
  async get(accountId: AccountId, id: OperationId): Promise<OperationView> {
    const operation = await this.stored.find(accountId, id);
    if (operation === undefined) throw noSuchOperation();
    return this.view(accountId, operation);
  }

  /** Newest first. A page may be shorter than its limit although more follow, because stored states may be outdated. */
  async list(accountId: AccountId, filter: OperationFilter): Promise<OperationPage> {
    await this.stored.load(accountId);
    const { states, limit } = filter;
    const stored = await this.store.list(accountId, {
      ...filter,
      states: states.some((state) => liveStates.includes(state)) ? [...new Set([...states, ...liveStates])] : states,
      limit: limit + 1,
    });
    const page = stored.slice(0, limit);
    const operations = page
      .map((operation) => this.stored.newest(accountId, operation))
      .filter(({ state }) => states.length === 0 || states.includes(state))
      .map((operation) => this.view(accountId, operation));
    return { operations, next: stored.length > limit ? (page.at(-1) ?? null) : null };
  }

  /** Unfinished operations, oldest first. */
  async unfinished(accountId: AccountId): Promise<readonly OperationView[]> {
    await this.stored.refresh(accountId);
    return this.live.ofAccount(accountId).map((operation) => this.view(accountId, operation));
  }

  /** @returns ends the subscription. @throws FerryError as `OperationFeed.subscribe` */
  watch(accountId: AccountId, subscriber: FeedSubscriber): () => void {
    return this.feed.subscribe(accountId, subscriber);
  }

  onNodeReady(node: CommandedNode): void {
    const { accountId, nodeId } = node;
    for (const operation of this.live.ofNode(accountId, nodeId)) this.commands.repeat(operation, node);
  }

  onProgress({ accountId, nodeId }: CommandedNode, message: ProgressMessage): void {
    if (this.knows(accountId, message.operation_id)) this.live.progress(accountId, nodeId, message);
    else this.unknown.progress(accountId, nodeId, message);
  }

  onResult({ accountId, nodeId }: CommandedNode, message: ResultMessage): void {
    if (this.knows(accountId, message.operation_id)) this.live.result(accountId, nodeId, message);
    else this.unknown.result(accountId, nodeId, message);
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
        void this.failOfRemovedNodes(accountId);
        return;
      default:
        kind satisfies never;
    }
  }

  private requireCommandable(accountId: AccountId, { nodeId }: OperationRequest): void {
    // The replica that it is connected to sends the command.
    if (this.registry.find(accountId, nodeId) !== undefined || this.reachable.isOnline(accountId, nodeId)) return;
    throw new FerryError('node_offline');
  }

  /** Those that are over are known, too: the report is a repeated one. */
  private knows(accountId: AccountId, id: string): boolean {
    const operationId = id as OperationId;
    return this.live.find(accountId, operationId) !== undefined || this.live.isFinished(operationId);
  }

  /**
   * A node that is linked here is sent what another relay was asked for, however the row was read: the poll leaves out what a request for the
   * operation has read before it.
   */
  private sendIfUndone(accountId: AccountId, operation: Operation): void {
    if (isLive(operation) && (operation.state === 'queued' || operation.cancelRequested))
      this.commands.send(accountId, operation);
  }

  /** Also those that are not in memory. What fails here is repeated when the operations of the account are read. */
  private async failOfRemovedNodes(accountId: AccountId): Promise<void> {
    if (this.config.settings.databaseUrl === undefined) return;
    await this.stored.failOfRemovedNodes(accountId).catch((error: unknown) => {
      this.logger.warn('operations of a removed node not ended yet', { error: String(error) });
    });
  }

  private logOutcome({ id, kind, nodeId, state, failure }: Operation): void {
    if (isLive({ state })) return;
    this.logger.log('operation over', { operation: id, kind, node: nodeId, state, failure: failure?.code ?? null });
  }

  private publish(accountId: AccountId, operation: Operation): void {
    if (this.feed.watched(accountId)) this.feed.publish(accountId, this.view(accountId, operation));
  }

  private view(accountId: AccountId, operation: Operation): OperationView {
    return {
      ...operation,
      nodeOnline: this.reachable.isOnline(accountId, operation.nodeId),
      bytesPerSecond: this.live.bytesPerSecond(accountId, operation.id),
    };
  }
}

const noSuchOperation = (): FerryError => new FerryError('not_found', 'There is no operation with this id.');
