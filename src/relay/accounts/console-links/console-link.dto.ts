import { IsString, MaxLength } from 'class-validator';
import { ApiProperty } from 'nest-swagger';

/** Limit of a token; longer than any valid one. */
const TOKEN_CHARACTERS = 1_024;

export class SignInLinkDto {
  @ApiProperty({ description: 'The part of the link after `#`.', example: '…' })
  @IsString()
  @MaxLength(TOKEN_CHARACTERS)
  token: string;
}
