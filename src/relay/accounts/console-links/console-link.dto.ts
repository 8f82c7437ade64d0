import { IsString, MaxLength } from 'class-validator';
import { ApiProperty } from '../../platform/openapi/decorators.js';

/** Longer than any token. */
const TOKEN_CHARACTERS = 1_024;

export class SignInLinkDto {
  @ApiProperty({ description: 'What stands behind the `#` of the link.', example: '…' })
  @IsString()
  @MaxLength(TOKEN_CHARACTERS)
  token: string;
}
