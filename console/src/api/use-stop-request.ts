import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from './client';
import type { Schemas } from './management-api.types';
import { keysQuery, whoAmIQuery } from './queries';
import { usePermission } from './use-permission';

export type RunningRequest = Schemas['RunningRequest'];

export function useStopRequest() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => bodyOf(api.POST('/api/requests/{id}/cancel', { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['running-requests'] }),
  });
}

/** Members stop requests of their own keys and of their chat, admins all of the account. */
export function useMayStop(): (request: RunningRequest) => boolean {
  const mayStopAll = usePermission('requests:manage');
  const { data: me } = useQuery(whoAmIQuery);
  const { data: keys = [] } = useQuery({ ...keysQuery, enabled: !mayStopAll });
  if (mayStopAll) return () => true;
  const own = new Set<string>([...keys.map(({ key_id }) => key_id), ...(me?.user == null ? [] : [me.user.user_id])]);
  return ({ key_id }) => own.has(key_id);
}
