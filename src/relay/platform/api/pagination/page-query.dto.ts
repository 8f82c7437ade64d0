import { Type } from 'class-transformer';
import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { ApiPropertyOptional } from 'nest-swagger';
import { CURSOR, CURSOR_RULE } from './cursor.js';

export const DEFAULT_PAGE_ITEMS = 50;
export const LONGEST_PAGE_ITEMS = 200;

/** The query of a paginated list; subclasses add filters. */
export class PageQueryDto {
  @ApiPropertyOptional({ type: 'integer', description: 'Items per page, 1 to 200.' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(LONGEST_PAGE_ITEMS)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the previous page. Opaque.' })
  @IsOptional()
  @Matches(CURSOR, { message: CURSOR_RULE })
  cursor?: string;
}
