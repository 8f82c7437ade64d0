import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { SeriesRequest } from './usage-range';

const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

export const usageSeriesQuery = ({ range, by, cluster }: SeriesRequest) =>
  queryOptions({
    queryKey: ['usage', 'series', range, by, cluster],
    queryFn: () =>
      bodyOf(
        api.GET('/api/usage/series', {
          params: { query: { ...range, by, time_zone: timeZone(), ...(cluster && { cluster_id: cluster }) } },
        }),
      ),
    placeholderData: (earlier) => earlier,
  });
