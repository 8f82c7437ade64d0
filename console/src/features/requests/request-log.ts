/** The request log, newest first: pages of older requests, and the newest ones as they come. */
import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api, bodyOf } from '../../api/client';
import type { operations } from '../../api/management-api.types';
import type { LoggedRequest } from '../../components/logged-request';

export type LogFilter = Omit<NonNullable<operations['listUsageRequests']['parameters']['query']>, 'limit' | 'cursor'>;

/** The most that the relay gives. */
const PAGE_ITEMS = 200;
const NEWEST_ITEMS = 50;

const pageOf = (filter: LogFilter, limit: number, cursor: string | undefined) =>
  bodyOf(
    api.GET('/api/usage/requests', {
      params: { query: { ...filter, limit, ...(cursor !== undefined && { cursor }) } },
    }),
  );

/** Its key is no topic of the live feed: older requests do not change, and there may be fifty pages of them. */
const olderQuery = (filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ['request-log', filter],
    async queryFn({ pageParam, client }) {
      const page = await pageOf(filter, PAGE_ITEMS, pageParam);
      if (pageParam === undefined) rememberNewest(client, filter, page.data);
      return page;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    staleTime: 0,
    // Comparing thousands of rows with each page that comes would take longer than drawing them.
    structuralSharing: false,
  });

const newestQuery = (filter: LogFilter) =>
  queryOptions({
    queryKey: ['requests', 'newest', filter],
    queryFn: async () => (await pageOf(filter, NEWEST_ITEMS, undefined)).data,
  });

/** The first page has the newest as well: they need not be asked for again, unless the feed has told of others meanwhile. */
function rememberNewest(client: QueryClient, filter: LogFilter, first: readonly LoggedRequest[]): void {
  const { queryKey } = newestQuery(filter);
  if (client.getQueryState(queryKey)?.isInvalidated) return;
  client.setQueryData(queryKey, first.slice(0, NEWEST_ITEMS));
}

export function useRequestLog(filter: LogFilter) {
  const queries = useQueryClient();
  const older = useInfiniteQuery(olderQuery(filter));
  const { data: newest } = useQuery({ ...newestQuery(filter), enabled: older.isSuccess });
  const pages = older.data?.pages;
  const known = useMemo(() => pages?.flatMap(({ data }) => data), [pages]);
  const added = useMemo(() => (known === undefined ? [] : newerThan(known, newest ?? [])), [known, newest]);
  const isGap = added.length === NEWEST_ITEMS && (known?.length ?? 0) > 0;
  useEffect(() => {
    // So many came that some between the newest and the known ones are missing: begin anew.
    if (isGap) void queries.resetQueries({ queryKey: olderQuery(filter).queryKey });
  }, [isGap, queries, filter]);
  const rows = useMemo(() => (known === undefined ? undefined : [...added, ...known]), [added, known]);
  return { ...older, rows };
}

/** Those of the newest that are not among the known ones; both are newest first. */
export function newerThan(known: readonly LoggedRequest[], newest: readonly LoggedRequest[]): readonly LoggedRequest[] {
  const ids = new Set(known.slice(0, NEWEST_ITEMS).map(({ id }) => id));
  return newest.filter(({ id }) => !ids.has(id) && !known.some((row) => row.id === id));
}

export const loggedRequestQuery = (id: string) =>
  queryOptions({
    queryKey: ['requests', 'row', id],
    queryFn: () => bodyOf(api.GET('/api/usage/requests/{id}', { params: { path: { id } } })),
  });

/** Decisions are in the relay's memory only: of old requests there are none any more. */
export const explanationQuery = (id: string) =>
  queryOptions({
    queryKey: ['requests', 'explained', id],
    queryFn: () => bodyOf(api.GET('/api/requests/{id}', { params: { path: { id } } })),
  });
