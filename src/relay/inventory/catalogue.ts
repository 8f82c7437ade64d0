import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { systemClock } from '../../kernel/clock.js';
import type { AccountId, NodeId } from '../../kernel/ids.js';
import { AccountPreloader } from '../nodes/account-preloader.js';
import { ReachableNodes } from '../nodes/registry/reachable-nodes.js';
import type { NodeChange } from '../nodes/registry/online-node.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { AccountCatalogue } from './account-catalogue.js';
import type { ClusterScope } from './cluster-scope.js';
import { KnownModelsStore } from './known-models.store.js';
import { KnownModelsWriter } from './known-models.writer.js';
import type { ModelLookup } from './model-entry.js';
import type { ListForm } from './model-list-forms.js';

interface Account {
  readonly catalogue: AccountCatalogue;
  readonly loaded: Promise<void>;
  /** Last use, monotonic. */
  usedAtMs: number;
}

/** Accounts without an online node are evicted after this time, which is longer than any handshake. */
const IDLE_MS = 60_000;

/**
 * Models of every account with an online node, in memory. Requests never wait for the database or a node: an account is loaded before its
 * first node appears, and reports update it in place.
 */
@Injectable()
export class Catalogue implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('Inventory');
  private readonly accounts = new Map<AccountId, Account>();
  private readonly writer = new KnownModelsWriter(
    (accountId, nodeIds) => this.save(accountId, nodeIds),
    (error) => {
      this.logger.warn('known models not stored yet', { error: String(error) });
    },
  );
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly nodes: ReachableNodes,
    private readonly preloader: AccountPreloader,
    private readonly store: KnownModelsStore,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  onModuleInit(): void {
    this.preloader.add((accountId) => this.open(accountId).loaded);
    this.nodes.changes$.subscribe((change) => {
      this.apply(change);
    });
    this.timer = setInterval(() => {
      this.forgetIdle();
    }, IDLE_MS).unref();
  }

  /** Before shutdown, after which the database is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.writer.flush();
  }

  find(accountId: AccountId, model: string): ModelLookup {
    return this.accounts.get(accountId)?.catalogue.find(model) ?? { kind: 'unknown' };
  }

  /** The JSON body of `GET /v1/models`. */
  list(accountId: AccountId, scope: ClusterScope, form?: ListForm): Buffer {
    return (this.accounts.get(accountId)?.catalogue ?? this.emptyCatalogue()).list(scope, form);
  }

  /** The JSON of one record of the list; undefined: the list of this scope does not have it. */
  record(accountId: AccountId, scope: ClusterScope, model: string, form: ListForm): Buffer | undefined {
    return this.accounts.get(accountId)?.catalogue.record(model, scope, form);
  }

  /** Of the models in the list. */
  ids(accountId: AccountId, scope: ClusterScope): readonly string[] {
    return this.accounts.get(accountId)?.catalogue.ids(scope) ?? [];
  }

  private apply({ accountId, nodeId, kind }: NodeChange): void {
    switch (kind) {
      case 'status':
        return;
      case 'connected':
        this.open(accountId).usedAtMs = systemClock.monotonicMs();
        return;
      case 'inventory':
        this.report(accountId, nodeId);
        return;
      case 'disconnected':
        this.accounts.get(accountId)?.catalogue.disconnected(nodeId);
        return;
      case 'revoked':
        this.accounts.get(accountId)?.catalogue.forgetNode(nodeId);
        return;
      default:
        kind satisfies never;
    }
  }

  private report(accountId: AccountId, nodeId: NodeId): void {
    const node = this.nodes.find(accountId, nodeId);
    if (node === undefined) return;
    const changed = this.open(accountId).catalogue.report(node);
    // Another replica has the link of a remote node, and stores its models.
    if (changed && node.isRemote !== true) this.writer.mark(accountId, nodeId);
  }

  private open(accountId: AccountId): Account {
    const known = this.accounts.get(accountId);
    if (known !== undefined) {
      known.usedAtMs = systemClock.monotonicMs();
      return known;
    }
    const catalogue = this.emptyCatalogue();
    const loaded = this.store.load(accountId).then((stored) => {
      catalogue.remember(stored);
    });
    // Callers that wait get the rejection; the next node of the account retries.
    loaded.catch(() => this.accounts.delete(accountId));
    const account = { catalogue, loaded, usedAtMs: systemClock.monotonicMs() };
    this.accounts.set(accountId, account);
    return account;
  }

  private async save(accountId: AccountId, nodeIds: readonly NodeId[]): Promise<void> {
    const account = this.accounts.get(accountId);
    if (account === undefined) return;
    const known = new Map(nodeIds.map((nodeId) => [nodeId, account.catalogue.modelsOf(nodeId)]));
    await this.store.save(accountId, known, this.config.settings.modelsPerAccount);
  }

  private forgetIdle(): void {
    const idleSinceMs = systemClock.monotonicMs() - IDLE_MS;
    for (const [accountId, account] of this.accounts) {
      if (account.usedAtMs > idleSinceMs) continue;
      if (!this.writer.idle || isOnline(this.nodes, accountId)) account.usedAtMs = systemClock.monotonicMs();
      else this.accounts.delete(accountId);
    }
  }

  private emptyCatalogue(): AccountCatalogue {
    const { ownedBy, settings } = this.config;
    return new AccountCatalogue({ clock: systemClock, ownedBy, modelLimit: settings.modelsPerAccount });
  }
}

function isOnline(nodes: ReachableNodes, accountId: AccountId): boolean {
  for (const _node of nodes.onlineIn(accountId)) return true;
  return false;
}
