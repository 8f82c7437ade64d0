import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { ApiPropertyOptional } from 'nest-swagger';
import { CALLER_ID, CALLER_ID_RULE } from '../request-log-query.dto.js';
import { LONGEST_MOMENT } from '../../platform/api/moment.js';
import { bucketSizes, type BucketSize } from './time-buckets.js';
import { seriesGroupings, type SeriesGrouping } from './usage-series.js';

export const TIME_ZONE = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/;
export const TIME_ZONE_RULE = '$property must be a name of the time zone database, such as Europe/Berlin';

/** The query of `GET /api/usage/series`. */
export class SeriesQueryDto {
  @ApiPropertyOptional({
    description: '`7d`, `24h` or a time in ISO 8601; rounded down to the start of its bucket. Default: 7 days ago.',
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

  @ApiPropertyOptional({ enum: ['model', 'key', 'node', 'none'], description: 'Grouping. Default: `model`.' })
  @IsOptional()
  @IsIn(seriesGroupings)
  by?: SeriesGrouping;

  @ApiPropertyOptional({ enum: ['hour', 'day'], description: 'Default: `day`.' })
  @IsOptional()
  @IsIn(bucketSizes)
  bucket?: BucketSize;

  @ApiPropertyOptional({
    description:
      'Time zone of the days, as a name of the IANA database. Default: `UTC`. Usage is stored by hours of UTC.',
    example: 'Europe/Berlin',
  })
  @IsOptional()
  @Matches(TIME_ZONE, { message: TIME_ZONE_RULE })
  time_zone?: string;

  @ApiPropertyOptional({ description: 'Only requests of this key, or of this user on the website.' })
  @IsOptional()
  @Matches(CALLER_ID, { message: CALLER_ID_RULE })
  key_id?: string;

  @ApiPropertyOptional({ description: 'Only requests served by this node.' })
  @IsOptional()
  @Matches(/^nd_[0-9a-f]{32}$/, { message: '$property must be the id of a node' })
  node_id?: string;

  @ApiPropertyOptional({ description: 'Only requests served by this cluster.' })
  @IsOptional()
  @Matches(/^cl_[0-9A-Za-z]{8,40}$/, { message: '$property must be the id of a cluster' })
  cluster_id?: string;

  @ApiPropertyOptional({ description: 'Only requests for the model with this selector.' })
  @IsOptional()
  @Matches(/^mdl_[0-9a-f]{16}$/, { message: '$property must be the selector of a model (mdl_…)' })
  model?: string;
}
