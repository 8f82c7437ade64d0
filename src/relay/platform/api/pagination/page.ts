import { listResponse, type ListResponse } from '../list-response.js';
import { fromCursor, toCursor, type Position } from './cursor.js';
import { DEFAULT_PAGE_ITEMS, LONGEST_PAGE_ITEMS, type PageQueryDto } from './page-query.dto.js';

/** One page of a list. Only items created or deleted between two pages may be missed; none is repeated. */
export interface PageResponse<Item> extends ListResponse<Item> {
  readonly has_more: boolean;
  /** Pass it as `?cursor=`; null on the last page. */
  readonly next_cursor: string | null;
}

/**
 * The part of a query that a store needs. It fetches `limit + 1` items: the extra one shows that there are more. Because of
 * the millisecond precision of a position, it sorts and compares by `(date_trunc('milliseconds', created_at), id)`.
 */
export interface PageRequest {
  readonly limit: number;
  /** The last item of the previous page; null for the first page. */
  readonly after: Position | null;
}

/** `newest` first or `oldest` first. */
export type PageOrder = 'newest' | 'oldest';

/** @throws FerryError `invalid_request` for an invalid cursor */
export const pageRequest = (query: PageQueryDto, defaultItems = DEFAULT_PAGE_ITEMS): PageRequest => ({
  limit: query.limit ?? defaultItems,
  after: query.cursor === undefined ? null : fromCursor(query.cursor),
});

/**
 * The response of a list whose store fetches page by page.
 * @param found one more than the limit when there are more, in the order of the list
 */
export function pageResponse<Item, Shown>(
  found: readonly Item[],
  { limit }: Pick<PageRequest, 'limit'>,
  positionOf: (item: Item) => Position,
  show: (item: Item) => Shown,
): PageResponse<Shown> {
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return {
    ...listResponse(items.map(show)),
    has_more: last !== undefined,
    next_cursor: last === undefined ? null : toCursor(positionOf(last)),
  };
}

/**
 * A page of a list in memory, which is small because of a limit of the account. Without a limit in the query the page has the
 * maximum length, so that clients without paging see everything.
 */
export function pageOfAll<Item, Shown>(
  all: readonly Item[],
  query: PageQueryDto,
  order: PageOrder,
  positionOf: (item: Item) => Position,
  show: (item: Item) => Shown,
  defaultItems = LONGEST_PAGE_ITEMS,
): PageResponse<Shown> {
  const request = pageRequest(query, defaultItems);
  const { after } = request;
  const compare = order === 'oldest' ? comparePositions : (a: Position, b: Position) => comparePositions(b, a);
  const rest = all
    .map((item) => ({ item, position: positionOf(item) }))
    .filter(({ position }) => after === null || compare(position, after) > 0)
    .sort((a, b) => compare(a.position, b.position));
  return pageResponse(
    rest,
    request,
    ({ position }) => position,
    ({ item }) => show(item),
  );
}

/** By code units: the order of ids within one millisecond is arbitrary, but must be stable. */
function comparePositions(a: Position, b: Position): number {
  const byTime = a.at.getTime() - b.at.getTime();
  if (byTime !== 0) return byTime;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}
