import { IsString, MaxLength } from 'class-validator';
import { ApiProperty } from '../platform/openapi/decorators.js';

const LONGEST_FINGERPRINT = 200;

export class ConfirmNodeDto {
  @ApiProperty({ description: 'The words that the node shows on its own screen.', example: 'amber canyon delta' })
  @IsString()
  @MaxLength(LONGEST_FINGERPRINT)
  fingerprint: string;
}
