import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { ApiPropertyOptional } from 'nest-swagger';
import type { KeyLimits } from '../platform/access/caller.js';

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
