import { IsIn, IsISO8601, IsOptional, MaxLength } from 'class-validator';
import { ApiPropertyOptional } from 'nest-swagger';
import { PageQueryDto } from '../../platform/api/pagination/page-query.dto.js';

const LONGEST_TEXT = 200;

/** The query of `GET /api/audit`. */
export class ListAuditDto extends PageQueryDto {
  @ApiPropertyOptional({ description: 'Id of a user or credential.' })
  @IsOptional()
  @MaxLength(LONGEST_TEXT)
  actor?: string;

  @ApiPropertyOptional({ description: 'A complete action, such as `key.create`, or the part before the dot: `key`.' })
  @IsOptional()
  @MaxLength(LONGEST_TEXT)
  action?: string;

  @ApiPropertyOptional({ description: 'Id or kind of the changed object.' })
  @IsOptional()
  @MaxLength(LONGEST_TEXT)
  object?: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'Earliest time, inclusive.' })
  @IsOptional()
  @IsISO8601()
  since?: string;

  @ApiPropertyOptional({
    type: 'string',
    format: 'date-time',
    description: 'Latest time, exclusive.',
  })
  @IsOptional()
  @IsISO8601()
  until?: string;

  @ApiPropertyOptional({
    enum: ['json', 'csv', 'ndjson'],
    description: '`csv` and `ndjson` export all matching events without pages. Default: `json`.',
  })
  @IsOptional()
  @IsIn(['json', 'csv', 'ndjson'])
  format?: 'json' | 'csv' | 'ndjson';
}
