import { IsOptional, Matches } from 'class-validator';
import { ApiPropertyOptional } from 'nest-swagger';
import type { ClusterId } from '../../../kernel/ids.js';

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
