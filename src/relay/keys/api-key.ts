import type { AuditDetail } from '../accounts/audit/audit-event.js';
import type { ApiKeyId, ClusterId, UserId } from '../../kernel/ids.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import type { ApiKeyScope, KeyLimits } from '../platform/access/caller.js';

/** The metadata of an API key. */
export interface ApiKey {
  readonly id: ApiKeyId;
  readonly name: string;
  /** The description is only shown to people; null: none. */
  readonly description: string | null;
  readonly last4: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly clusterIds: readonly ClusterId[] | null;
  readonly limits: KeyLimits;
  /** null: the account's own. */
  readonly createdBy: UserId | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export const toApiKey = (row: ApiKeyEntity): ApiKey => ({
  id: row.id,
  name: row.name,
  description: row.description,
  last4: row.last4,
  scopes: row.scopes,
  clusterIds: row.clusterIds,
  limits: {
    requestsPerMinute: row.requestsPerMinute,
    tokensPerMinute: row.tokensPerMinute,
    concurrency: row.concurrency,
  },
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  revokedAt: row.revokedAt,
  lastUsedAt: row.lastUsedAt,
});

/** Details for the audit trail. */
export const auditedKey = ({ name, description, scopes, clusterIds, limits, expiresAt }: ApiKey): AuditDetail => ({
  name,
  ...(description !== null && { description }),
  scopes: scopes.join(' '),
  clusters: clusterIds === null ? null : clusterIds.join(' '),
  requests_per_minute: limits.requestsPerMinute,
  tokens_per_minute: limits.tokensPerMinute,
  concurrency: limits.concurrency,
  expires: expiresAt?.toISOString() ?? null,
});
