import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * A value that is kept in the URL, so that reloading, going back and sharing a link keep it.
 * @param name of the search parameter
 * @param initial what the absence of the parameter means
 */
export function useUrlState(name: string, initial = ''): readonly [string, (value: string) => void] {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = useCallback(
    (value: string) =>
      void navigate({
        to: '.',
        search: (current: object) => ({ ...current, [name]: value === initial ? undefined : value }),
        replace: true,
        resetScroll: false,
      }),
    [initial, name, navigate],
  );
  return [search[name] ?? initial, set];
}
