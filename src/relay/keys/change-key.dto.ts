import { Type } from 'class-transformer';
import { IsObject, IsOptional, Matches, ValidateIf, ValidateNested } from 'class-validator';
import { ApiPropertyOptional } from 'nest-swagger';
import { DESCRIPTION, DESCRIPTION_RULE, KEY_NAME, KEY_NAME_RULE } from '../platform/api/names.js';
import { KeyLimitsChangeDto } from './key-limits.dto.js';

/** Absent fields stay unchanged. */
export class ChangeKeyDto {
  @ApiPropertyOptional({ example: 'my other app' })
  @ValidateIf((_body, name) => name !== undefined)
  @Matches(KEY_NAME, { message: KEY_NAME_RULE })
  name?: string;

  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description: 'null removes it.',
    example: 'Chat of the intranet',
  })
  @IsOptional()
  @Matches(DESCRIPTION, { message: DESCRIPTION_RULE })
  description?: string | null;

  @ApiPropertyOptional({
    type: () => KeyLimitsChangeDto,
    nullable: true,
    description: 'A limit of null is removed.',
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => KeyLimitsChangeDto)
  limits?: KeyLimitsChangeDto | null;
}
