import type { Clock } from '../../kernel/clock.js';
import type { AccountId, ClusterId } from '../../kernel/ids.js';
import { StaleIfErrorCache, type StaleIfErrorLimits } from '../../kernel/stale-if-error-cache.js';
import type { Cluster } from './clusters.store.js';

interface ClusterSource {
  list(accountId: AccountId): Promise<readonly Cluster[]>;
}

/** Caches the clusters of each account, so that pinned requests are checked without a query. */
export class ClusterDirectory {
  private readonly accounts: StaleIfErrorCache<ReadonlyMap<ClusterId, Cluster>>;

  constructor(
    private readonly source: ClusterSource,
    limits: StaleIfErrorLimits,
    clock: Clock,
  ) {
    this.accounts = new StaleIfErrorCache(limits, clock);
  }

  /** Clusters by id, oldest first. Rejects with the database's error when nothing is cached. */
  async clustersOf(accountId: AccountId): Promise<ReadonlyMap<ClusterId, Cluster>> {
    const load = async (): Promise<ReadonlyMap<ClusterId, Cluster>> =>
      new Map((await this.source.list(accountId)).map((cluster) => [cluster.id, cluster]));
    return (await this.accounts.get(accountId, load)) ?? new Map<ClusterId, Cluster>();
  }

  async owns(accountId: AccountId, clusterId: ClusterId): Promise<boolean> {
    return (await this.clustersOf(accountId)).has(clusterId);
  }

  /** Call it after every change to the clusters of the account. */
  forget(accountId: AccountId): void {
    this.accounts.delete(accountId);
  }
}
