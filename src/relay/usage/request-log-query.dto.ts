import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { ApiPropertyOptional } from 'nest-swagger';
import { allDialects, type Dialect } from '../../kernel/dialect.js';
import { LONGEST_MOMENT } from '../platform/api/moment.js';
import { PageQueryDto } from '../platform/api/pagination/page-query.dto.js';

/** Id of a key, of a user of the website's chat, or of a token without a user. */
export const CALLER_ID = /^(key_[0-9A-Za-z]{12}|usr_[0-9a-f]{32}|cli_[0-9A-Za-z]{12})$/;
export const CALLER_ID_RULE = '$property must be the id of a key';

const outcomes = ['completed', 'failed', 'cancelled', 'timed_out', 'rejected'] as const;

/** The query of `GET /api/usage/requests`. */
export class RequestLogQueryDto extends PageQueryDto {
  @ApiPropertyOptional({ description: 'Earliest start, inclusive: `7d`, `24h` or a time in ISO 8601.' })
  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_MOMENT)
  since?: string;

  @ApiPropertyOptional({ description: 'Latest start, exclusive: `7d`, `24h` or a time in ISO 8601.' })
  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_MOMENT)
  until?: string;

  @ApiPropertyOptional({ description: 'Id of a key, or of a user for requests from the website.' })
  @IsOptional()
  @Matches(CALLER_ID, { message: CALLER_ID_RULE })
  key_id?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @Matches(/^nd_[0-9a-f]{32}$/, { message: '$property must be the id of a node' })
  node_id?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @Matches(/^cl_[0-9A-Za-z]{8,40}$/, { message: '$property must be the id of a cluster' })
  cluster_id?: string;

  @ApiPropertyOptional({ description: 'Selector of the model, which is stable unlike its names.' })
  @IsOptional()
  @Matches(/^mdl_[0-9a-f]{16}$/, { message: '$property must be the selector of a model (mdl_…)' })
  model?: string;

  @ApiPropertyOptional({ description: 'Part of a request id: at least four of its digits.', example: '5b1f0c9e' })
  @IsOptional()
  @Matches(/^(?:req_)?[0-9a-f]{4,32}$/, { message: '$property must be a part of a request id' })
  request_id?: string;

  @ApiPropertyOptional({ enum: allDialects })
  @IsOptional()
  @IsIn(allDialects)
  dialect?: Dialect;

  @ApiPropertyOptional({ enum: ['completed', 'failed', 'cancelled', 'timed_out', 'rejected'] })
  @IsOptional()
  @IsIn(outcomes)
  outcome?: (typeof outcomes)[number];
}
