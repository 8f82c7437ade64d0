/** Queries that several pages share. The first element of every key is the topic under which the live feed tells of changes. */
import { queryOptions } from '@tanstack/react-query';
import { allOf, api, bodyOf } from './client';

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

/** Those that are not over come first; the page of an operation asks for older ones itself. */
export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: async () => (await bodyOf(api.GET('/api/operations', { params: { query: { limit: 200 } } }))).data,
});
