import { apiKeyScopes } from '../platform/access/caller.js';
import { ApiProperty } from 'nest-swagger';
import type { ApiKey } from './api-key.js';
import { unixSeconds, unixSecondsOrNull } from '../platform/api/list-response.js';

export class KeyLimitsRecord {
  @ApiProperty({ type: 'integer', nullable: true, example: 600 })
  readonly requests_per_minute: number | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Input and output tokens together.' })
  readonly tokens_per_minute: number | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Concurrent requests.', example: 8 })
  readonly concurrency: number | null;
}

/** An API key in `/api/keys`, without the key itself. Times in seconds since 1970. */
export class KeyRecord {
  @ApiProperty({ enum: ['api_key'] })
  readonly object: 'api_key';
  @ApiProperty({ description: 'Also the first characters of the key after `sk-ferry-`.' })
  readonly key_id: string;
  @ApiProperty({ example: 'my app' })
  readonly name: string;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Free text; null if there is none.',
    example: 'Chat of the intranet',
  })
  readonly description: string | null;

  @ApiProperty({ description: 'Last four characters of the key.', example: '8sWx' })
  readonly last4: string;
  @ApiProperty({ enum: apiKeyScopes, isArray: true })
  readonly scopes: readonly string[];
  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'Clusters to which the key is limited; null for all of the account.',
    example: ['cl_8a1f0c2e4b6d4f7091a3b5c7d9e1f203'],
  })
  readonly cluster_ids: readonly string[] | null;
  @ApiProperty({ type: () => KeyLimitsRecord, description: 'null if the key has no limits of its own.' })
  readonly limits: KeyLimitsRecord;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'User who owns the key; null for the account.',
    example: 'usr_5d0c7be1f2a34958b6c7d8e9f0a1b2c3',
  })
  readonly created_by: string | null;
  @ApiProperty({ type: 'integer', description: 'Creation time, in seconds since 1970.' })
  readonly created: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Expiry, in seconds since 1970; null if it does not expire.',
  })
  readonly expires: number | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Last use to the minute, in seconds since 1970; null if never used.',
  })
  readonly last_used: number | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Time of revocation, in seconds since 1970; null if active.',
  })
  readonly revoked: number | null;
}

/** Contains the key itself, which is returned only at its creation. */
export class NewKeyRecord extends KeyRecord {
  @ApiProperty({ description: 'The key. It cannot be retrieved again.', example: '…' })
  readonly key: string;
  @ApiProperty({ type: [String], description: 'Warnings about the request, as text; usually empty.' })
  readonly warnings: readonly string[];
}

export class RolledKeyRecord extends NewKeyRecord {
  @ApiProperty({
    type: () => KeyRecord,
    description: 'The replaced key, with its expiry.',
  })
  readonly previous: KeyRecord;
}

export const keyRecord = (key: ApiKey): KeyRecord => ({
  object: 'api_key',
  key_id: key.id,
  name: key.name,
  description: key.description,
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
  'This key is valid for more than a year. A shorter lifetime limits the damage of a leaked key; roll the key before it expires.';

export const newKeyRecord = (key: ApiKey, text: string): NewKeyRecord => ({
  ...keyRecord(key),
  key: text,
  warnings: key.expiresAt !== null && key.expiresAt.getTime() - key.createdAt.getTime() > YEAR_MS ? [LONG_LIVED] : [],
});
