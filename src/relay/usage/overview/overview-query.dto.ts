import { IsOptional, Matches } from 'class-validator';
import { ApiPropertyOptional } from 'nest-swagger';
import { TIME_ZONE, TIME_ZONE_RULE } from '../series/series-query.dto.js';

/** The query of `GET /api/overview`. */
export class OverviewQueryDto {
  @ApiPropertyOptional({
    description: 'Time zone of today, as a name of the IANA database. Default: `UTC`.',
    example: 'Europe/Berlin',
  })
  @IsOptional()
  @Matches(TIME_ZONE, { message: TIME_ZONE_RULE })
  time_zone?: string;
}
