import { Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { allOf, api, bodyOf } from '../../api/client';
import { queryClient } from '../../api/query-client';
import type { Schemas } from '../../api/management-api.types';
import { CopyId } from '../../components/copy-id';
import { FormError } from '../../components/form-error';
import { RelativeTime } from '../../components/relative-time';
import classes from './computers.module.css';

const joinTokensQuery = queryOptions({
  queryKey: ['join-tokens'],
  queryFn: () => allOf((query) => api.GET('/api/join-tokens', { params: { query } })),
});

/** Join tokens that a computer could still use. Nothing is shown without any, which is nearly always. */
export function JoinTokenList({ clusters }: { readonly clusters: readonly Schemas['Cluster'][] }) {
  const { data: tokens = [] } = useQuery(joinTokensQuery);
  const revoke = useMutation({
    mutationFn: (joinTokenId: string) =>
      bodyOf(api.DELETE('/api/join-tokens/{joinTokenId}', { params: { path: { joinTokenId } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: joinTokensQuery.queryKey }),
  });
  if (tokens.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="join-tokens">
      <div className={classes.sectionHead}>
        <h2 id="join-tokens" className={classes.sectionTitle}>
          Unused join tokens
        </h2>
      </div>
      <FormError error={revoke.error} />
      <ul className={classes.clusters}>
        {tokens.map(({ join_token_id: id, cluster_id: clusterId, expires }) => (
          <li key={id} className={classes.cluster}>
            <span className={classes.clusterName}>
              {clusters.find(({ cluster_id }) => cluster_id === clusterId)?.name ?? clusterId}
            </span>
            <span className={classes.quiet}>
              expires <RelativeTime at={expires} />
            </span>
            <CopyId id={id} label="join token id" />
            <Button
              size="compact-xs"
              variant="default"
              disabled={revoke.isPending}
              onClick={() => revoke.mutate(id)}
              aria-label={`Revoke the join token ${id}`}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
