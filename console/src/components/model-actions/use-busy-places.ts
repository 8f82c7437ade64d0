import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { runningRequestsQuery } from '../../api/queries';
import { placeKey, type Placement } from './placement';
import { requestsOf } from './requests-of-model';

/** The places that requests run on. The same set until others do, so that tables are not drawn again with each token. */
export function useBusyPlaces(loaded: readonly Placement[]): ReadonlySet<string> {
  const { data: keys = '' } = useQuery({
    ...runningRequestsQuery,
    select: (running) =>
      loaded
        .filter((place) => requestsOf(place, running).length > 0)
        .map(placeKey)
        .join('\n'),
  });
  return useMemo(() => new Set(keys.split('\n')), [keys]);
}
