import { IsIn, IsOptional } from 'class-validator';
import { roles, type Role } from '../../platform/access/manager.js';

export class CreateInviteDto {
  /** Of whoever accepts it; not above your own. Default: member. */
  @IsOptional()
  @IsIn(roles)
  role?: Role | null;
}
