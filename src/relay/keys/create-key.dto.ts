import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from 'nest-swagger';
import type { ClusterId } from '../../kernel/ids.js';
import { apiKeyScopes, type ApiKeyScope } from '../platform/access/caller.js';
import { DESCRIPTION, DESCRIPTION_RULE, KEY_NAME, KEY_NAME_RULE } from '../platform/api/names.js';
import { KeyLimitsChangeDto } from './key-limits.dto.js';

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
    enum: ['inference', 'models:read'],
    isArray: true,
    nullable: true,
    description: 'Default: `inference`, which implies `models:read`.',
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
  @Matches(/^cl_[0-9A-Za-z]{8,40}$/, { each: true, message: 'each of $property must be the id of a cluster' })
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
