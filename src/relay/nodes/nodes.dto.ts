import { Matches, ValidateIf, IsString, MaxLength } from 'class-validator';
import { ApiPropertyOptional, ApiProperty } from 'nest-swagger';
import { CLUSTER_ID, type ClusterId } from '../../kernel/ids.js';
import { CLUSTER_ID_RULE, NAME, NAME_RULE } from '../platform/api/names.js';

const LONGEST_FINGERPRINT = 200;

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
}
