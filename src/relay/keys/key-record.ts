import type { ApiKey } from './api-key.js';
import { unixSeconds, unixSecondsOrNull } from '../api/list-answer.js';

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
  /** null: no limit of its own. */
  readonly limits: {
    readonly requests_per_minute: number | null;
    readonly tokens_per_minute: number | null;
    readonly concurrency: number | null;
  };
  /** The user whose key it is; null: the account's. */
  readonly created_by: string | null;
  readonly created: number;
  /** null: never. */
  readonly expires: number | null;
  /** null: not yet, as far as is known. */
  readonly last_used: number | null;
  readonly revoked: number | null;
}

/** A key at the one moment when it is shown. */
export interface NewKeyRecord extends KeyRecord {
  readonly key: string;
  /** For people, about what they asked for; usually none. */
  readonly warnings: readonly string[];
}

export interface RolledKeyRecord extends NewKeyRecord {
  /** The key that the new one takes the place of, with the time when it stops to work. */
  readonly previous: KeyRecord;
}

export const keyRecord = (key: ApiKey): KeyRecord => ({
  object: 'api_key',
  key_id: key.id,
  name: key.name,
  last4: key.last4,
  scopes: key.scopes,
  cluster_ids: key.clusterIds,
  limits: {
    requests_per_minute: key.limits.requestsPerMinute,
    tokens_per_minute: key.limits.tokensPerMinute,
    concurrency: key.limits.concurrency,
  },
  created_by: key.createdBy,
  created: unixSeconds(key.createdAt),
  expires: unixSecondsOrNull(key.expiresAt),
  last_used: unixSecondsOrNull(key.lastUsedAt),
  revoked: unixSecondsOrNull(key.revokedAt),
});

const YEAR_MS = 366 * 86_400_000;
const LONG_LIVED =
  'This key works for more than a year. A shorter life limits what a lost key can do; roll it in time.';

export const newKeyRecord = (key: ApiKey, text: string): NewKeyRecord => ({
  ...keyRecord(key),
  key: text,
  warnings: key.expiresAt !== null && key.expiresAt.getTime() - key.createdAt.getTime() > YEAR_MS ? [LONG_LIVED] : [],
});
