import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Schemas } from '../../api/management-api.types';

export type Overview = Schemas['Overview'];
export type Attention = Schemas['Attention'];

const RECENT = 8;

export const recentRequestsQuery = queryOptions({
  queryKey: ['requests', 'recent'],
  queryFn: async () => (await bodyOf(api.GET('/api/usage/requests', { params: { query: { limit: RECENT } } }))).data,
});
