import { IsOptional, Matches } from 'class-validator';
import type { ClusterId } from '../../../kernel/ids.js';
import { ApiPropertyOptional } from '../../platform/openapi/decorators.js';

export class CreateJoinTokenDto {
  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description: 'Cluster of the new node. Default, and for null: `home`.',
  })
  @IsOptional()
  @Matches(/^cl_[0-9A-Za-z]{8,40}$/, { message: '$property must be the id of a cluster' })
  cluster_id?: ClusterId | null;
}
