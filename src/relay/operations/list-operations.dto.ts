import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { ApiPropertyOptional } from 'nest-swagger';
import type { NodeId } from '../../kernel/ids.js';
import { operationStates, type OperationState } from './operation.js';
import { LONGEST_MOMENT } from '../platform/api/moment.js';
import { PageQueryDto } from '../platform/api/pagination/page-query.dto.js';

const words = (value: unknown): unknown => (typeof value === 'string' ? value.split(',') : value);

/** The query of `GET /api/operations`. */
export class ListOperationsDto extends PageQueryDto {
  @ApiPropertyOptional({
    type: 'string',
    description: 'Comma-separated list of `queued`, `running`, `succeeded`, `failed`, `cancelled`.',
  })
  @IsOptional()
  @Transform(({ value }) => words(value))
  @ArrayMaxSize(operationStates.length)
  @IsIn(operationStates, { each: true })
  state?: OperationState[];

  @ApiPropertyOptional({ type: 'string', description: 'Only operations of this node.' })
  @IsOptional()
  @Matches(/^nd_[0-9a-f]{32}$/, { message: '$property must be the id of a node' })
  node_id?: NodeId;

  @ApiPropertyOptional({ description: 'Earliest creation, inclusive: `7d`, `24h` or a time in ISO 8601.' })
  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_MOMENT)
  since?: string;

  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'With `state=failed` and `false`: failures that need attention.',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  dismissed?: 'true' | 'false';
}
