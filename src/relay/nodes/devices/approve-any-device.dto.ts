import { IsOptional, IsString, MaxLength } from 'class-validator';
import { ApiPropertyOptional } from '../../platform/openapi/decorators.js';
import { ApproveDeviceDto } from '../device-codes/approve-device.dto.js';

const LONGEST_FINGERPRINT = 200;

/** Only a node has any of these fields. */
export class ApproveAnyDeviceDto extends ApproveDeviceDto {
  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description:
      'Of a node: the words, once somebody has compared them with those on its own screen. It is let in at once then; without them it waits for `POST /api/nodes/{nodeId}/confirm`.',
    example: 'amber canyon delta',
  })
  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_FINGERPRINT)
  fingerprint?: string | null;
}
