import type { ClusterId } from '../../kernel/ids.js';

/** The clusters that a request may see: the pinned one, those of a restricted key, or null for all of the account. */
export type ClusterScope = ReadonlySet<ClusterId> | null;

export const inScope = (scope: ClusterScope, cluster: ClusterId): boolean => scope === null || scope.has(cluster);

/**
 * A pin narrows the clusters of the key, which was already checked to allow it (docs/reference/api-behaviour.md#order-of-checks).
 */
export const clusterScope = (pin: ClusterId | null, allowed: readonly ClusterId[] | null): ClusterScope =>
  pin !== null ? new Set([pin]) : allowed === null ? null : new Set(allowed);

/** Equal for scopes with the same clusters. */
export const scopeKey = (scope: ClusterScope): string => (scope === null ? '*' : [...scope].sort().join(','));
