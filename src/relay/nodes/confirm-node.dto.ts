import { IsString, MaxLength } from 'class-validator';
import { ApiProperty } from 'nest-swagger';

const LONGEST_FINGERPRINT = 200;

export class ConfirmNodeDto {
  @ApiProperty({ description: 'The words that the node shows on its own screen.', example: 'amber canyon delta' })
  @IsString()
  @MaxLength(LONGEST_FINGERPRINT)
  fingerprint: string;
}
