import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';

/** Which computers a request of the chat was sent to. */
export const routeQuery = (requestId: string | null) =>
  queryOptions({
    queryKey: ['requests', 'explained', requestId],
    queryFn: () => bodyOf(api.GET('/api/requests/{id}', { params: { path: { id: requestId ?? '' } } })),
    enabled: requestId !== null,
    retry: false,
    staleTime: Infinity,
  });
