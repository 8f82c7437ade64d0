import { IsBoolean, IsIn, IsOptional, Matches } from 'class-validator';
import { ApiPropertyOptional } from 'nest-swagger';
import { roles, type Role } from '../../platform/access/principal.js';
import { NAME, NAME_RULE } from '../../platform/api/names.js';

/** Fields that are absent or null stay unchanged. */
export class ChangeUserDto {
  @ApiPropertyOptional({
    enum: [...roles],
    nullable: true,
    description: 'Each role includes the ones before it.',
  })
  @IsOptional()
  @IsIn(roles)
  role?: Role | null;

  @ApiPropertyOptional({
    type: 'boolean',
    nullable: true,
    description: 'A disabled user is signed out everywhere and cannot sign in.',
  })
  @IsOptional()
  @IsBoolean()
  disabled?: boolean | null;

  @ApiPropertyOptional({ type: 'string', nullable: true })
  @IsOptional()
  @Matches(NAME, { message: NAME_RULE })
  name?: string | null;
}
