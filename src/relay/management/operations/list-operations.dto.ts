import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import type { NodeId, OperationId } from '../../../kernel/ids.js';
import { operationStates, type OperationState } from '../../operations/operation.js';

export const DEFAULT_PAGE = 50;
const LONGEST_PAGE = 200;

const words = (value: unknown): unknown => (typeof value === 'string' ? value.split(',') : value);

/** The query of `GET /api/operations`. */
export class ListOperationsDto {
  /** One or several, with commas between them. Default: any. */
  @IsOptional()
  @Transform(({ value }) => words(value))
  @ArrayMaxSize(operationStates.length)
  @IsIn(operationStates, { each: true })
  state?: OperationState[];

  @IsOptional()
  @Matches(/^nd_[0-9a-f]{32}$/, { message: '$property must be the id of a node' })
  node_id?: NodeId;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(LONGEST_PAGE)
  limit?: number;

  /** The last operation of the page before. */
  @IsOptional()
  @Matches(/^op_[0-9a-f]{32}$/, { message: '$property must be the id of an operation' })
  after?: OperationId;
}
