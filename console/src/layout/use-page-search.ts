import { useSearch } from '@tanstack/react-router';
import type { PageSearch } from './page-search';

/** The search parameters of the page that is shown. */
export function usePageSearch(): PageSearch {
  const search: PageSearch = useSearch({ strict: false });
  return search;
}
