/** What a person has visited last in this browser, for the palette. A sign-out removes it; the relay stores none of it. */
import { whoAmIQuery } from '../api/queries';
import { queryClient } from '../api/query-client';
import { recentKey } from '../api/tab-storage';
import { parseRecent, withVisit, type RecentObject } from './recent-list';

/** undefined: nobody is signed in, or it is no person. */
function ownKey(): string | undefined {
  const me = queryClient.getQueryData(whoAmIQuery.queryKey);
  return me?.user == null ? undefined : recentKey(me.account_id, me.user.user_id);
}

export function recentObjects(): readonly RecentObject[] {
  const key = ownKey();
  return key === undefined ? [] : parseRecent(localStorage.getItem(key));
}

export function rememberVisit(visited: RecentObject): void {
  const key = ownKey();
  if (key === undefined) return;
  try {
    localStorage.setItem(key, JSON.stringify(withVisit(parseRecent(localStorage.getItem(key)), visited)));
  } catch {
    // The browser has no room, or keeps nothing: the palette does without.
  }
}
