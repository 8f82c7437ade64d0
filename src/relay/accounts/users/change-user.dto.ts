import { IsBoolean, IsIn, IsOptional, Matches } from 'class-validator';
import { roles, type Role } from '../../platform/access/manager.js';
import { NAME, NAME_RULE } from '../../api/names.js';

/** What is left out, or null, stays as it is. */
export class ChangeUserDto {
  /** Not above your own. */
  @IsOptional()
  @IsIn(roles)
  role?: Role | null;

  /** Somebody who is disabled is signed out everywhere and cannot sign in. */
  @IsOptional()
  @IsBoolean()
  disabled?: boolean | null;

  @IsOptional()
  @Matches(NAME, { message: NAME_RULE })
  name?: string | null;
}
