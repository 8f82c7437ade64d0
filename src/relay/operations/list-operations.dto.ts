import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsOptional, Matches } from 'class-validator';
import { ApiPropertyOptional } from 'nest-swagger';
import type { NodeId } from '../../kernel/ids.js';
import { operationStates, type OperationState } from './operation.js';
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
}
