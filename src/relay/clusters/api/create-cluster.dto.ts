import { Matches } from 'class-validator';
import { ApiProperty } from 'nest-swagger';
import { NAME, NAME_RULE } from '../../platform/api/names.js';

export class CreateClusterDto {
  @ApiProperty({ description: 'Unique in the account; 1 to 64 printable characters.', example: 'office' })
  @Matches(NAME, { message: NAME_RULE })
  name: string;
}
