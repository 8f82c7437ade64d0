import type { AccountId, ApiKeyId, ClusterId } from '../../../kernel/ids.js';

export const apiKeyScopes = ['inference', 'models:read', 'embeddings', 'rerank'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** Per minute, or concurrent; null: no limit of its own. */
export interface KeyLimits {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly concurrency: number | null;
}

export const noKeyLimits: KeyLimits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

/** The sender of an inference request: the part of the credential that later steps may use. */
export interface Caller {
  readonly accountId: AccountId;
  /** Identifies the key in logs, metering and revocation. Never the secret. */
  readonly keyPublicId: ApiKeyId;
  readonly scopes: readonly ApiKeyScope[];
  /** The only clusters that the key may reach; null: all of the account. */
  readonly clusterIds: readonly ClusterId[] | null;
  readonly limits: KeyLimits;
}

/** `inference` implies all others (docs/reference/api-behaviour.md#credentials-and-scopes). */
export const hasScope = ({ scopes }: Pick<Caller, 'scopes'>, needed: ApiKeyScope): boolean =>
  scopes.includes(needed) || scopes.includes('inference');

export const mayReachCluster = ({ clusterIds }: Pick<Caller, 'clusterIds'>, clusterId: ClusterId): boolean =>
  clusterIds === null || clusterIds.includes(clusterId);
