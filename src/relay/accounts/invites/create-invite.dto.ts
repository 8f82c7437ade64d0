import { IsIn, IsOptional } from 'class-validator';
import { roles, type Role } from '../../platform/access/principal.js';
import { ApiPropertyOptional } from '../../platform/openapi/decorators.js';

export class CreateInviteDto {
  @ApiPropertyOptional({
    enum: [...roles],
    nullable: true,
    description: 'Role of the invited user, at most your own. Default: member.',
  })
  @IsOptional()
  @IsIn(roles)
  role?: Role | null;
}
