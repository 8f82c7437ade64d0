import { Inject, Injectable } from '@nestjs/common';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { createClusterId, type AccountId, type ClusterId } from '../../kernel/ids.js';
import type { AuditActor } from '../accounts/audit/audit-event.js';
import type { Transaction } from '../accounts/accounts.store.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { ClusterDirectory } from './cluster-directory.js';
import { ClustersStore, type Cluster } from './clusters.store.js';

const HOME = 'home';

@Injectable()
export class ClustersService {
  constructor(
    private readonly store: ClustersStore,
    private readonly directory: ClusterDirectory,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /** Oldest first, so `home` comes first. Reads the database, because the cache may be stale right after a change. */
  list(accountId: AccountId): Promise<readonly Cluster[]> {
    return this.store.list(accountId);
  }

  /** The default cluster: the oldest of the account, created when there is none (docs/reference/data.md#terms). */
  home(accountId: AccountId): Promise<Cluster> {
    return this.store.ensureFirst(accountId, createClusterId(), HOME);
  }

  /** Creates the first cluster of an account that the same transaction creates. */
  async createHome(manager: Transaction, accountId: AccountId): Promise<void> {
    await this.store.insertFirst(manager, accountId, { id: createClusterId(), name: HOME });
  }

  /** @throws FerryError `invalid_request` when the name is taken or the account is full. */
  async create(accountId: AccountId, name: string, actor: AuditActor): Promise<Cluster> {
    const cluster = await this.store.insert(
      accountId,
      { id: createClusterId(), name },
      this.config.settings.clustersPerAccount,
      actor,
    );
    this.directory.forget(accountId);
    return cluster;
  }

  /** @throws FerryError `cluster_not_found`, or `invalid_request` when the name is taken. */
  async rename(accountId: AccountId, clusterId: ClusterId, name: string, actor: AuditActor): Promise<Cluster> {
    const cluster = await this.store.rename(accountId, clusterId, name, actor);
    if (cluster === undefined) throw new FerryError('cluster_not_found');
    this.directory.forget(accountId);
    return cluster;
  }

  /** @throws FerryError `cluster_not_found`, or `conflict` when the cluster is not empty or is the last one of the account. */
  async delete(accountId: AccountId, clusterId: ClusterId, actor: AuditActor): Promise<void> {
    if (!(await this.store.delete(accountId, clusterId, actor))) throw new FerryError('cluster_not_found');
    this.directory.forget(accountId);
  }
}
