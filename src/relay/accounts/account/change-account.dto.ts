import { Matches } from 'class-validator';
import { NAME, NAME_RULE } from '../../api/names.js';
import { ApiProperty } from '../../platform/openapi/decorators.js';

export class ChangeAccountDto {
  @ApiProperty({ example: 'Workshop' })
  @Matches(NAME, { message: NAME_RULE })
  name: string;
}
