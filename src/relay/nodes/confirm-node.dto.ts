import { IsString, MaxLength } from 'class-validator';

const LONGEST_FINGERPRINT = 200;

export class ConfirmNodeDto {
  /** The words on the screen of the node itself. */
  @IsString()
  @MaxLength(LONGEST_FINGERPRINT)
  fingerprint: string;
}
