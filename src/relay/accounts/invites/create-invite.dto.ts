import { IsIn, IsOptional } from 'class-validator';
import { ApiPropertyOptional } from 'nest-swagger';
import { roles, type Role } from '../../platform/access/principal.js';

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
