import { Matches } from 'class-validator';
import { ApiProperty } from 'nest-swagger';
import { NAME, NAME_RULE } from '../../platform/api/names.js';

export class ChangeAccountDto {
  @ApiProperty({ example: 'Workshop' })
  @Matches(NAME, { message: NAME_RULE })
  name: string;
}
