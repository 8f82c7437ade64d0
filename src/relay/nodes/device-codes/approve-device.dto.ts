import { IsOptional, Matches, IsString, MaxLength } from 'class-validator';
import { ApiPropertyOptional } from 'nest-swagger';
import { CLUSTER_ID, type ClusterId } from '../../../kernel/ids.js';
import { CLUSTER_ID_RULE, NAME, NAME_RULE } from '../../platform/api/names.js';

export class ApproveDeviceDto {
  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description: 'Cluster of the new node. Default, and for null: `home`.',
  })
  @IsOptional()
  @Matches(CLUSTER_ID, { message: CLUSTER_ID_RULE })
  cluster_id?: ClusterId | null;

  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description: 'Name of the node. Default, and for null: the name that the computer reports.',
  })
  @IsOptional()
  @Matches(NAME, { message: NAME_RULE })
  name?: string | null;
}

const LONGEST_FINGERPRINT = 200;

/** All fields are for nodes only. */
export class ApproveAnyDeviceDto extends ApproveDeviceDto {
  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description:
      'For a node: its fingerprint, after comparison with the words on its screen. With it the node becomes active at once; without it, the node stays pending until `POST /api/nodes/{nodeId}/confirm`.',
    example: 'amber canyon delta',
  })
  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_FINGERPRINT)
  fingerprint?: string | null;
}
