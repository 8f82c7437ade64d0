/** Queries that several pages share. The first element of every key is the topic under which the live feed tells of changes. */
import { queryOptions } from '@tanstack/react-query';
import { allOf, api, bodyOf } from './client';
import { FAILURE_DAYS } from './operation-state';

export const whoAmIQuery = queryOptions({
  queryKey: ['account', 'who-am-i'],
  queryFn: () => bodyOf(api.GET('/api/whoami')),
  staleTime: 60_000,
});

export const clustersQuery = queryOptions({
  queryKey: ['clusters'],
  queryFn: () => allOf((query) => api.GET('/api/clusters', { params: { query } })),
});

export const nodesQuery = queryOptions({
  queryKey: ['nodes'],
  queryFn: () => allOf((query) => api.GET('/api/nodes', { params: { query } })),
});

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: async () => (await bodyOf(api.GET('/api/models'))).data,
});

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: () => allOf((query) => api.GET('/api/keys', { params: { query } })),
});

export const NEWEST_OPERATIONS = 200;

/** The newest, which nearly always include all that run or failed within a week. */
export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: async () =>
    (await bodyOf(api.GET('/api/operations', { params: { query: { limit: NEWEST_OPERATIONS } } }))).data,
});

/** Failures of a week that were neither dismissed nor tried again, also those behind hundreds of newer operations. */
export const failedOperationsQuery = queryOptions({
  queryKey: ['operations', 'failed'],
  queryFn: async () => {
    const query = { limit: 200, state: 'failed', dismissed: 'false', since: `${FAILURE_DAYS}d` } as const;
    return (await bodyOf(api.GET('/api/operations', { params: { query } }))).data;
  },
});

const RUNNING_EVERY_MS = 2_000;

/** Tokens grow without an event of the feed; that a request begins or ends is one of its computer. */
export const runningRequestsQuery = queryOptions({
  queryKey: ['running-requests'],
  queryFn: async () => (await bodyOf(api.GET('/api/requests/running'))).data,
  staleTime: 0,
  refetchInterval: RUNNING_EVERY_MS,
});

/** A day begins where the person is, not where the relay is. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => {
    const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return bodyOf(api.GET('/api/overview', { params: { query: { time_zone } } }));
  },
});
