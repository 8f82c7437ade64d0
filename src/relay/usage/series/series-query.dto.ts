import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { ApiPropertyOptional } from '../../platform/openapi/decorators.js';
import { CALLER_ID, CALLER_ID_RULE } from '../request-log-query.dto.js';
import { LONGEST_MOMENT } from '../usage-query.dto.js';
import { bucketSizes, type BucketSize } from './time-buckets.js';
import { seriesGroupings, type SeriesGrouping } from './usage-series.js';

export const TIME_ZONE = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/;
export const TIME_ZONE_RULE = '$property must be a name of the time zone database, such as Europe/Berlin';

/** The query of `GET /api/usage/series`. */
export class SeriesQueryDto {
  @ApiPropertyOptional({
    description: '`7d`, `24h` or a time in ISO 8601; its whole bucket counts. Default: 7 days ago.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_MOMENT)
  since?: string;

  @ApiPropertyOptional({
    description: 'Like `since`; what begins at this moment or later does not count. Default: now.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_MOMENT)
  until?: string;

  @ApiPropertyOptional({ enum: ['model', 'key', 'node', 'none'], description: 'What to stack by. Default: `model`.' })
  @IsOptional()
  @IsIn(seriesGroupings)
  by?: SeriesGrouping;

  @ApiPropertyOptional({ enum: ['hour', 'day'], description: 'Default: `day`.' })
  @IsOptional()
  @IsIn(bucketSizes)
  bucket?: BucketSize;

  @ApiPropertyOptional({
    description: 'Whose days: a name of the time zone database. Default: `UTC`. Usage is summed up by hours of UTC.',
    example: 'Europe/Berlin',
  })
  @IsOptional()
  @Matches(TIME_ZONE, { message: TIME_ZONE_RULE })
  time_zone?: string;

  @ApiPropertyOptional({ description: 'Only requests of this key, or of this person on the website.' })
  @IsOptional()
  @Matches(CALLER_ID, { message: CALLER_ID_RULE })
  key_id?: string;

  @ApiPropertyOptional({ description: 'Only requests that this node has served.' })
  @IsOptional()
  @Matches(/^nd_[0-9a-f]{32}$/, { message: '$property must be the id of a node' })
  node_id?: string;

  @ApiPropertyOptional({ description: 'Only requests that this cluster has served.' })
  @IsOptional()
  @Matches(/^cl_[0-9A-Za-z]{8,40}$/, { message: '$property must be the id of a cluster' })
  cluster_id?: string;

  @ApiPropertyOptional({ description: 'Only requests for this model; its selector.' })
  @IsOptional()
  @Matches(/^mdl_[0-9a-f]{16}$/, { message: '$property must be the selector of a model (mdl_…)' })
  model?: string;
}
