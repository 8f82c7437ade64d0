import { ArrayMaxSize, ArrayUnique, IsArray, IsString, Matches, MaxLength, ValidateIf } from 'class-validator';
import { ApiPropertyOptional, ApiProperty } from 'nest-swagger';
import { CLUSTER_ID, type ClusterId } from '../../kernel/ids.js';
import { CLUSTER_ID_RULE, NAME, NAME_RULE } from '../platform/api/names.js';

const LONGEST_FINGERPRINT = 200;
/** Several lines; nothing else in it can hide or forge what is shown beside it. */
const NOTE = /^(?:[^\p{C}\p{Zl}\p{Zp}]|\n){1,1000}$/u;
const MOST_TAGS = 20;
const TAG = /^[\p{Ll}\p{Lo}\p{N}][\p{Ll}\p{Lo}\p{N}._-]{0,31}$/u;

export class ConfirmNodeDto {
  @ApiProperty({ description: 'The words that the node shows on its own screen.', example: 'amber canyon delta' })
  @IsString()
  @MaxLength(LONGEST_FINGERPRINT)
  fingerprint: string;
}

/** Absent fields stay unchanged. */
export class UpdateNodeDto {
  @ApiPropertyOptional({ example: 'attic' })
  @ValidateIf((_body, name) => name !== undefined)
  @Matches(NAME, { message: NAME_RULE })
  name?: string;

  @ApiPropertyOptional({ type: 'string', description: 'New cluster of the node.' })
  @ValidateIf((_body, clusterId) => clusterId !== undefined)
  @Matches(CLUSTER_ID, { message: CLUSTER_ID_RULE })
  cluster_id?: ClusterId;

  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description: 'Free text of up to 1,000 characters; null removes it.',
    example: 'Under the desk of Ada. Switched off at night.',
  })
  @ValidateIf((_body, note) => note !== undefined && note !== null)
  @Matches(NOTE, { message: '$property must have 1 to 1,000 visible characters or line breaks' })
  note?: string | null;

  @ApiPropertyOptional({
    type: [String],
    description: 'Replaces all tags. Up to 20 words of up to 32 small letters, digits, `.`, `_` and `-`.',
    example: ['office', 'gpu'],
  })
  @ValidateIf((_body, tags) => tags !== undefined)
  @IsArray()
  @ArrayMaxSize(MOST_TAGS)
  @ArrayUnique()
  @Matches(TAG, {
    each: true,
    message: 'each tag must have 1 to 32 small letters, digits or . _ - and begin with a letter or digit',
  })
  tags?: string[];
}
