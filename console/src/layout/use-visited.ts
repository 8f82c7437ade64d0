import { useEffect } from 'react';
import type { RecentObject } from './recent-list';
import { rememberVisit } from './recent-objects';

/** Remembers what a page shows. @param name undefined: it is not known yet whether there is such a thing */
export function useVisited(kind: RecentObject['kind'], id: string, name: string | undefined): void {
  useEffect(() => {
    if (name !== undefined) rememberVisit({ kind, id, name });
  }, [kind, id, name]);
}
