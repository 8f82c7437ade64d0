import { Matches, ValidateIf } from 'class-validator';
import { ApiPropertyOptional } from 'nest-swagger';
import type { ClusterId } from '../../kernel/ids.js';
import { NAME, NAME_RULE } from '../platform/api/names.js';

/** Absent fields stay unchanged. */
export class UpdateNodeDto {
  @ApiPropertyOptional({ example: 'attic' })
  @ValidateIf((_body, name) => name !== undefined)
  @Matches(NAME, { message: NAME_RULE })
  name?: string;

  @ApiPropertyOptional({ type: 'string', description: 'New cluster of the node.' })
  @ValidateIf((_body, clusterId) => clusterId !== undefined)
  @Matches(/^cl_[0-9A-Za-z]{8,40}$/, { message: '$property must be the id of a cluster' })
  cluster_id?: ClusterId;
}
