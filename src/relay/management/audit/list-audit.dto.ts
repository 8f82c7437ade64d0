import { Type } from 'class-transformer';
import { IsIn, IsInt, IsISO8601, IsOptional, Matches, Max, MaxLength, Min } from 'class-validator';
import type { AuditEventId } from '../../../kernel/ids.js';

export const DEFAULT_PAGE = 50;
const LONGEST_PAGE = 200;
const LONGEST_TEXT = 200;

/** The query of `GET /api/audit`. */
export class ListAuditDto {
  /** The id of a user or of a credential. */
  @IsOptional()
  @MaxLength(LONGEST_TEXT)
  actor?: string;

  /** Whole, such as `key.create`, or the part before the dot: `key`. */
  @IsOptional()
  @MaxLength(LONGEST_TEXT)
  action?: string;

  /** The id or the kind of what was changed. */
  @IsOptional()
  @MaxLength(LONGEST_TEXT)
  object?: string;

  @IsOptional()
  @IsISO8601()
  since?: string;

  /** Events of this instant and later are left out. */
  @IsOptional()
  @IsISO8601()
  until?: string;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(LONGEST_PAGE)
  limit?: number;

  /** `next_cursor` of the page before. */
  @IsOptional()
  @Matches(/^evt_[0-9a-f]{32}$/, { message: '$property must be the next_cursor of an earlier answer' })
  cursor?: AuditEventId;

  /** `csv` and `ndjson` are exports: everything that the filter lets through, without pages. Default: `json`. */
  @IsOptional()
  @IsIn(['json', 'csv', 'ndjson'])
  format?: 'json' | 'csv' | 'ndjson';
}
