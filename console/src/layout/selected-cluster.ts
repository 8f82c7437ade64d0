import { useNavigate } from '@tanstack/react-router';
import { usePageSearch } from './use-page-search';

/** The cluster of the picker, kept as `?cluster=` from page to page; undefined: all clusters. */
export function useSelectedCluster(): string | undefined {
  return usePageSearch().cluster;
}

/** Chooses a cluster on the page that is shown. */
export function useSelectCluster(): (clusterId: string | undefined) => void {
  const navigate = useNavigate();
  return (cluster) => void navigate({ to: '.', search: (search) => ({ ...search, cluster }), replace: true });
}
