import {
  IsIn,
  IsObject,
  IsOptional,
  Matches,
  ValidateIf,
  ValidateNested,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsInt,
  Max,
  Min,
} from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from 'nest-swagger';
import { Type } from 'class-transformer';
import { CLUSTER_ID_RULE, DESCRIPTION, DESCRIPTION_RULE, KEY_NAME, KEY_NAME_RULE } from '../platform/api/names.js';
import { CLUSTER_ID, type ClusterId } from '../../kernel/ids.js';
import { apiKeyScopes, type ApiKeyScope, type KeyLimits } from '../platform/access/caller.js';

const LARGEST_REQUESTS = 1_000_000;
const LARGEST_TOKENS = 1_000_000_000;
const LARGEST_CONCURRENCY = 100_000;

/** Limits of a key in addition to those of its account; null for no limit. */
export class KeyLimitsChangeDto {
  @ApiPropertyOptional({ type: 'integer', nullable: true, example: 600 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(LARGEST_REQUESTS)
  requests_per_minute?: number | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true, description: 'Input and output tokens together.' })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(LARGEST_TOKENS)
  tokens_per_minute?: number | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true, description: 'Concurrent requests.', example: 8 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(LARGEST_CONCURRENCY)
  concurrency?: number | null;
}

/** @returns only the limits that are present */
export const limitsOf = ({
  requests_per_minute: requestsPerMinute,
  tokens_per_minute: tokensPerMinute,
  concurrency,
}: KeyLimitsChangeDto): Partial<KeyLimits> => ({
  ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
  ...(tokensPerMinute === undefined ? {} : { tokensPerMinute }),
  ...(concurrency === undefined ? {} : { concurrency }),
});

const TEN_YEARS_SECONDS = 10 * 365 * 86_400;

/** In an optional field, null means the same as absence. */
export class CreateKeyDto {
  @ApiProperty({ description: 'Purpose of the key. Unique among the active keys of the account.', example: 'my app' })
  @Matches(KEY_NAME, { message: KEY_NAME_RULE })
  name: string;

  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description: 'Free text. Default: none.',
    example: 'Chat of the intranet',
  })
  @IsOptional()
  @Matches(DESCRIPTION, { message: DESCRIPTION_RULE })
  description?: string | null;

  @ApiPropertyOptional({
    enum: apiKeyScopes,
    isArray: true,
    nullable: true,
    description: 'Default: `inference`, which implies all others.',
  })
  @IsOptional()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(apiKeyScopes, { each: true })
  scopes?: ApiKeyScope[] | null;

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    description: 'Clusters to which the key is limited. Default: all of the account, including future ones.',
    example: ['cl_8a1f0c2e4b6d4f7091a3b5c7d9e1f203'],
  })
  @IsOptional()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @ArrayUnique()
  @Matches(CLUSTER_ID, { each: true, message: `each of ${CLUSTER_ID_RULE}` })
  cluster_ids?: ClusterId[] | null;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    description: 'Seconds from now. Default: the key does not expire.',
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(TEN_YEARS_SECONDS)
  expires_in_seconds?: number | null;

  @ApiPropertyOptional({
    type: () => KeyLimitsChangeDto,
    nullable: true,
    description: 'Default: only the limits of the account.',
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => KeyLimitsChangeDto)
  limits?: KeyLimitsChangeDto | null;
}

/** Absent fields stay unchanged. */
export class ChangeKeyDto {
  @ApiPropertyOptional({ example: 'my other app' })
  @ValidateIf((_body, name) => name !== undefined)
  @Matches(KEY_NAME, { message: KEY_NAME_RULE })
  name?: string;

  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description: 'null removes it.',
    example: 'Chat of the intranet',
  })
  @IsOptional()
  @Matches(DESCRIPTION, { message: DESCRIPTION_RULE })
  description?: string | null;

  @ApiPropertyOptional({
    type: () => KeyLimitsChangeDto,
    nullable: true,
    description: 'A limit of null is removed.',
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => KeyLimitsChangeDto)
  limits?: KeyLimitsChangeDto | null;
}

const HOUR_MS = 3_600_000;

/** How long the old key stays valid beside the new one (docs/reference/security.md#api-keys). */
export const overlapsMs = { '0': 0, '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS } as const;
export type Overlap = keyof typeof overlapsMs;

export class RollKeyDto {
  @ApiProperty({ enum: ['0', '1h', '24h', '7d'], description: 'How long the old key stays valid.' })
  @IsIn(Object.keys(overlapsMs))
  overlap: Overlap;
}
