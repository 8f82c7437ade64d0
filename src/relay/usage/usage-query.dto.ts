import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { ApiPropertyOptional } from 'nest-swagger';
import type { ClusterId } from '../../kernel/ids.js';
import { LONGEST_MOMENT } from '../platform/api/moment.js';
import { usageGroupings, type UsageGrouping } from './usage-totals.js';

const formats = ['json', 'csv'] as const;

/** The query of `GET /api/usage`. */
export class UsageQueryDto {
  @ApiPropertyOptional({
    description: '`7d`, `24h` or a time in ISO 8601; rounded down to the hour. Default: 7 days ago.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_MOMENT)
  since?: string;

  @ApiPropertyOptional({
    description: 'Like `since`, exclusive. Default: now.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_MOMENT)
  until?: string;

  @ApiPropertyOptional({
    enum: ['model', 'node', 'key', 'cluster', 'dialect', 'hour'],
    description: 'Grouping. Default: `model`.',
  })
  @IsOptional()
  @IsIn(usageGroupings)
  by?: UsageGrouping;

  @ApiPropertyOptional({ type: 'string', description: 'Only requests served by this cluster. Default: all clusters.' })
  @IsOptional()
  @Matches(/^cl_[0-9A-Za-z]{8,40}$/, { message: '$property must be the id of a cluster' })
  cluster_id?: ClusterId;

  @ApiPropertyOptional({
    enum: ['json', 'csv'],
    description: '`csv` can also be selected with the header `Accept: text/csv`.',
  })
  @IsOptional()
  @IsIn(formats)
  format?: (typeof formats)[number];
}
