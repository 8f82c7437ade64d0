import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { whoAmIQuery } from '../../api/queries';
import { queryClient } from '../../api/query-client';
import { safeNext } from '../../api/sign-in-path';
import type { WhoAmI } from './access-queries';

/** Remembers who is signed in now. What was loaded for somebody else before is forgotten. */
export function rememberSignedIn(me: WhoAmI): void {
  queryClient.clear();
  queryClient.setQueryData(whoAmIQuery.queryKey, me);
}

/** After a sign-in: to the page that was asked for, or first to a password of one's own. */
export function useEnter(): (me: WhoAmI, next?: string) => Promise<void> {
  const navigate = useNavigate();
  return useCallback(
    async (me, next) => {
      rememberSignedIn(me);
      const href = me.user?.password_expires == null ? safeNext(next) : '/reset';
      await navigate({ href, replace: true });
    },
    [navigate],
  );
}
