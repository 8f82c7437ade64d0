import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Schemas } from '../../api/management-api.types';

export type Overview = Schemas['Overview'];
export type Attention = Schemas['Attention'];
export type LoggedRequest = Schemas['LoggedRequest'];

const RECENT = 8;

/** A day begins where the person is, not where the relay is. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => {
    const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return bodyOf(api.GET('/api/overview', { params: { query: { time_zone } } }));
  },
});

export const recentRequestsQuery = queryOptions({
  queryKey: ['requests', 'recent'],
  queryFn: async () => (await bodyOf(api.GET('/api/usage/requests', { params: { query: { limit: RECENT } } }))).data,
});
