import { IsIn, IsISO8601, IsOptional, MaxLength } from 'class-validator';
import { PageQueryDto } from '../api/pagination/page-query.dto.js';

const LONGEST_TEXT = 200;

/** The query of `GET /api/audit`. */
export class ListAuditDto extends PageQueryDto {
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

  /** `csv` and `ndjson` are exports: everything that the filter lets through, without pages. Default: `json`. */
  @IsOptional()
  @IsIn(['json', 'csv', 'ndjson'])
  format?: 'json' | 'csv' | 'ndjson';
}
