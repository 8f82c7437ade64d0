import { IsEmail, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from 'nest-swagger';
import { NAME, NAME_RULE } from '../../platform/api/names.js';

const EMAIL_CHARACTERS = 254;
/** Longer than accepted, so that `requireAcceptablePassword` reports the rule. */
const PASSWORD_CHARACTERS = 1_024;

export class SignInDto {
  @ApiProperty()
  @IsString()
  @MaxLength(EMAIL_CHARACTERS)
  email: string;

  @ApiProperty()
  @IsString()
  @MaxLength(PASSWORD_CHARACTERS)
  password: string;
}

export class SignUpDto {
  @ApiProperty({ type: 'string', format: 'email' })
  @IsEmail()
  @MaxLength(EMAIL_CHARACTERS)
  email: string;

  @ApiProperty({ description: '10 to 128 characters of any kind.' })
  @IsString()
  @MaxLength(PASSWORD_CHARACTERS)
  password: string;

  @ApiPropertyOptional({ type: 'string', nullable: true, description: 'Default: the e-mail address.', example: 'Ada' })
  @IsOptional()
  @Matches(NAME, { message: NAME_RULE })
  name?: string | null;
}

export class FirstPasswordDto {
  @ApiProperty({ description: '10 to 128 characters of any kind.', example: 'correct horse battery staple' })
  @IsString()
  @MaxLength(PASSWORD_CHARACTERS)
  password: string;

  @ApiPropertyOptional({
    type: 'string',
    format: 'email',
    nullable: true,
    description: 'E-mail address for sign-in. Default: unchanged.',
  })
  @IsOptional()
  @IsEmail()
  @MaxLength(EMAIL_CHARACTERS)
  email?: string | null;

  @ApiPropertyOptional({ type: 'string', nullable: true, description: 'Default: unchanged.', example: 'Ada' })
  @IsOptional()
  @Matches(NAME, { message: NAME_RULE })
  name?: string | null;
}

export class ChangePasswordDto {
  @ApiProperty({ example: 'correct horse battery staple' })
  @IsString()
  @MaxLength(PASSWORD_CHARACTERS)
  current_password: string;

  @ApiProperty({ description: '10 to 128 characters of any kind.', example: 'a longer and better one' })
  @IsString()
  @MaxLength(PASSWORD_CHARACTERS)
  new_password: string;
}
