import { IsIn, IsISO8601, IsOptional, MaxLength } from 'class-validator';
import { PageQueryDto } from '../api/pagination/page-query.dto.js';
import { ApiPropertyOptional } from '../platform/openapi/decorators.js';

const LONGEST_TEXT = 200;

/** The query of `GET /api/audit`. */
export class ListAuditDto extends PageQueryDto {
  @ApiPropertyOptional({ description: 'The id of a user or of a credential.' })
  @IsOptional()
  @MaxLength(LONGEST_TEXT)
  actor?: string;

  @ApiPropertyOptional({ description: 'Whole, such as `key.create`, or the part before the dot: `key`.' })
  @IsOptional()
  @MaxLength(LONGEST_TEXT)
  action?: string;

  @ApiPropertyOptional({ description: 'The id or the kind of what was changed.' })
  @IsOptional()
  @MaxLength(LONGEST_TEXT)
  object?: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'Changes of this instant and later.' })
  @IsOptional()
  @IsISO8601()
  since?: string;

  @ApiPropertyOptional({
    type: 'string',
    format: 'date-time',
    description: 'Events of this instant and later are left out.',
  })
  @IsOptional()
  @IsISO8601()
  until?: string;

  @ApiPropertyOptional({
    enum: ['json', 'csv', 'ndjson'],
    description:
      '`csv` and `ndjson` are exports: everything that the filter lets through, without pages. Default: `json`.',
  })
  @IsOptional()
  @IsIn(['json', 'csv', 'ndjson'])
  format?: 'json' | 'csv' | 'ndjson';
}
