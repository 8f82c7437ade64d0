import { IsOptional, IsString, MaxLength } from 'class-validator';
import { ApiPropertyOptional } from 'nest-swagger';
import { ApproveDeviceDto } from '../device-codes/approve-device.dto.js';

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
