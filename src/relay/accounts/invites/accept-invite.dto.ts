import { IsString, MaxLength } from 'class-validator';
import { ApiProperty } from '../../platform/openapi/decorators.js';
import { SignUpDto } from '../sign-in/sign-in.dto.js';

/** Longer than any token. */
const TOKEN_CHARACTERS = 1_024;

export class ShowInviteDto {
  @ApiProperty({ description: 'What stands behind the `#` of the link.', example: '…' })
  @IsString()
  @MaxLength(TOKEN_CHARACTERS)
  token: string;
}

export class AcceptInviteDto extends SignUpDto {
  @ApiProperty({ description: 'What stands behind the `#` of the link.', example: '…' })
  @IsString()
  @MaxLength(TOKEN_CHARACTERS)
  token: string;
}
