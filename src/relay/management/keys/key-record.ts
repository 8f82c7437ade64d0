import type { ApiKey } from '../../keys/api-keys.store.js';
import { unixSeconds, unixSecondsOrNull } from '../list-answer.js';

/** An API key as `/api/keys` shows it: everything but the key. Times in seconds since 1970. */
export interface KeyRecord {
  readonly object: 'api_key';
  readonly key_id: string;
  readonly name: string;
  /** The last characters of the key, to tell keys apart. */
  readonly last4: string;
  readonly scopes: readonly string[];
  /** null: all clusters of the account. */
  readonly cluster_ids: readonly string[] | null;
  readonly created: number;
  /** null: never. */
  readonly expires: number | null;
  /** null: not yet, as far as is known. */
  readonly last_used: number | null;
  readonly revoked: number | null;
}

export const keyRecord = (key: ApiKey): KeyRecord => ({
  object: 'api_key',
  key_id: key.id,
  name: key.name,
  last4: key.last4,
  scopes: key.scopes,
  cluster_ids: key.clusterIds,
  created: unixSeconds(key.createdAt),
  expires: unixSecondsOrNull(key.expiresAt),
  last_used: unixSecondsOrNull(key.lastUsedAt),
  revoked: unixSecondsOrNull(key.revokedAt),
});
