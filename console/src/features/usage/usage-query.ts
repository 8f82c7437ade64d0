import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { UsageRange } from './usage-range';
import type { Grouping } from './usage-series';

export interface SeriesQuery {
  readonly range: UsageRange;
  readonly by: Grouping;
  readonly cluster: string | undefined;
}

const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

export const usageSeriesQuery = ({ range, by, cluster }: SeriesQuery) =>
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
