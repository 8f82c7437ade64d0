import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, bodyOf } from '../../api/client';

export const DAYS = 14;
const DAY_MS = 86_400_000;

/** Requests per day of the last 14 days, by key id. */
export type UsageOfKeys = ReadonlyMap<string, readonly number[]>;

export function useUsageOfKeys(): UsageOfKeys {
  const { data } = useQuery({
    queryKey: ['usage', 'sparklines-of-keys'],
    queryFn: () => {
      const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const since = new Date(Date.now() - (DAYS - 1) * DAY_MS).toISOString();
      return bodyOf(
        api.GET('/api/usage/series', { params: { query: { by: 'key', bucket: 'day', since, time_zone } } }),
      );
    },
    staleTime: 60_000,
  });
  return useMemo(
    () => new Map(data?.groups.flatMap(({ key, requests }) => (key === null ? [] : [[key, requests.slice(-DAYS)]]))),
    [data],
  );
}
