import type { ClusterId } from '../../../kernel/ids.js';
import type { ClusterScope } from '../../inventory/cluster-scope.js';

/** How many requests wait for a slot in each cluster: a node of one that none may use need not be looked at. */
export class WaitingClusters {
  /** Requests that any cluster may serve. */
  private anywhere = 0;
  private readonly counts = new Map<ClusterId, number>();

  add(scope: ClusterScope): void {
    if (scope === null) this.anywhere += 1;
    else for (const cluster of scope) this.counts.set(cluster, (this.counts.get(cluster) ?? 0) + 1);
  }

  /** To be called for a request that was added with the same scope. */
  remove(scope: ClusterScope): void {
    if (scope === null) this.anywhere -= 1;
    else for (const cluster of scope) this.removeOne(cluster);
  }

  has(cluster: ClusterId): boolean {
    return this.anywhere > 0 || this.counts.has(cluster);
  }

  private removeOne(cluster: ClusterId): void {
    const left = (this.counts.get(cluster) ?? 0) - 1;
    if (left > 0) this.counts.set(cluster, left);
    else this.counts.delete(cluster);
  }
}
