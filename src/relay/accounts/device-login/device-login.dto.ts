import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { roles, type Role } from '../../platform/access/manager.js';
import { NAME, NAME_RULE } from '../../api/names.js';

const CODE_CHARACTERS = 128;

export class StartDeviceLoginDto {
  /** What whoever approves is shown, such as the name of the computer. Becomes the name of the token. */
  @IsOptional()
  @Matches(NAME, { message: NAME_RULE })
  name?: string | null;
}

export class DeviceTokenDto {
  @IsString()
  @MaxLength(CODE_CHARACTERS)
  device_code: string;
}

export class UserCodeDto {
  /** With or without the dash, in any case. */
  @IsString()
  @MaxLength(CODE_CHARACTERS)
  user_code: string;
}

export class ApproveDeviceLoginDto extends UserCodeDto {
  /** Of the new token, not above your own. Default: your own. */
  @IsOptional()
  @IsIn(roles)
  role?: Role | null;
}
