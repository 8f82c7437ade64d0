import { Matches } from 'class-validator';
import { NAME, NAME_RULE } from '../../api/names.js';

export class CreateClusterDto {
  /** Unique in the account. */
  @Matches(NAME, { message: NAME_RULE })
  name: string;
}
