import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { ApiPropertyOptional, ApiProperty } from 'nest-swagger';
import { roles, type Role } from '../../platform/access/principal.js';
import { SignUpDto } from '../sign-in/sign-in.dto.js';

/** Limit of a token; longer than any valid one. */
const TOKEN_CHARACTERS = 1_024;

export class ShowInviteDto {
  @ApiProperty({ description: 'The part of the link after `#`.', example: '…' })
  @IsString()
  @MaxLength(TOKEN_CHARACTERS)
  token: string;
}

export class AcceptInviteDto extends SignUpDto {
  @ApiProperty({ description: 'The part of the link after `#`.', example: '…' })
  @IsString()
  @MaxLength(TOKEN_CHARACTERS)
  token: string;
}

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
