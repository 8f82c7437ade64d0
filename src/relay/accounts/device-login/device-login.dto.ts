import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from 'nest-swagger';
import { roles, type Role } from '../../platform/access/principal.js';
import { NAME, NAME_RULE } from '../../platform/api/names.js';

const CODE_CHARACTERS = 128;

export class StartDeviceLoginDto {
  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description: 'Shown to the user who approves, such as the name of the computer. Becomes the name of the token.',
    example: 'build-server',
  })
  @IsOptional()
  @Matches(NAME, { message: NAME_RULE })
  name?: string | null;
}

export class DeviceTokenDto {
  @ApiProperty({ example: '…' })
  @IsString()
  @MaxLength(CODE_CHARACTERS)
  device_code: string;
}

export class UserCodeDto {
  @ApiProperty({ description: 'Case-insensitive, with or without the dash.' })
  @IsString()
  @MaxLength(CODE_CHARACTERS)
  user_code: string;
}

export class ApproveDeviceLoginDto extends UserCodeDto {
  @ApiPropertyOptional({
    enum: [...roles],
    nullable: true,
    description: 'Role of the new token, at most your own. Default: your own.',
  })
  @IsOptional()
  @IsIn(roles)
  role?: Role | null;
}
