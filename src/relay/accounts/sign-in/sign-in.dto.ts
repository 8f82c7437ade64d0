import { IsEmail, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { NAME, NAME_RULE } from '../../api/names.js';

const EMAIL_CHARACTERS = 254;
/** Far beyond what is accepted: how long a password may be is told in its own words, see `requireAcceptablePassword`. */
const PASSWORD_CHARACTERS = 1_024;

export class SignInDto {
  @IsString()
  @MaxLength(EMAIL_CHARACTERS)
  email: string;

  @IsString()
  @MaxLength(PASSWORD_CHARACTERS)
  password: string;
}

export class SignUpDto {
  @IsEmail()
  @MaxLength(EMAIL_CHARACTERS)
  email: string;

  /** 10 to 128 characters, any. */
  @IsString()
  @MaxLength(PASSWORD_CHARACTERS)
  password: string;

  /** Default: the e-mail address. */
  @IsOptional()
  @Matches(NAME, { message: NAME_RULE })
  name?: string | null;
}

export class AcceptInviteDto extends SignUpDto {
  /** What stands behind the `#` of the link. */
  @IsString()
  @MaxLength(PASSWORD_CHARACTERS)
  token: string;
}

export class ChangePasswordDto {
  @IsString()
  @MaxLength(PASSWORD_CHARACTERS)
  current_password: string;

  @IsString()
  @MaxLength(PASSWORD_CHARACTERS)
  new_password: string;
}
