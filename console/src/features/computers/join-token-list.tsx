import { Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { allOf, api, bodyOf } from '../../api/client';
import { queryClient } from '../../api/query-client';
import type { Schemas } from '../../api/management-api.types';
import { CopyId } from '../../components/copy-id';
import type { Column } from '../../components/data-table';
import { FormError } from '../../components/form-error';
import { RelativeTime } from '../../components/relative-time';
import { TableSection } from '../../components/table-section';

type JoinToken = Schemas['OpenJoinToken'];

const joinTokensQuery = queryOptions({
  queryKey: ['join-tokens'],
  queryFn: () => allOf((query) => api.GET('/api/join-tokens', { params: { query } })),
});

/** Join tokens that a computer could still use. Nothing is shown without any, which is nearly always. */
export function JoinTokenList({ clusters }: { readonly clusters: readonly Schemas['Cluster'][] }) {
  const tokens = useQuery(joinTokensQuery);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (joinTokenId: string) =>
      bodyOf(api.DELETE('/api/join-tokens/{joinTokenId}', { params: { path: { joinTokenId } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: joinTokensQuery.queryKey }),
  });
  const columns = useMemo(() => columnsOf(clusters, isPending, mutate), [clusters, isPending, mutate]);
  if (tokens.data === undefined || tokens.data.length === 0) return null;
  return (
    <TableSection
      title="Unused join tokens"
      prefix="t"
      notice={<FormError error={error} />}
      query={tokens}
      columns={columns}
      rowKey={({ join_token_id }) => join_token_id}
      empty={null}
    />
  );
}

const columnsOf = (
  clusters: readonly Schemas['Cluster'][],
  isPending: boolean,
  onRevoke: (joinTokenId: string) => void,
): readonly Column<JoinToken>[] => [
  {
    id: 'cluster',
    header: 'Cluster',
    heading: true,
    cell: ({ cluster_id: id }) => clusters.find(({ cluster_id }) => cluster_id === id)?.name ?? id,
  },
  {
    id: 'expires',
    header: 'Expires',
    card: 'named',
    width: '160px',
    rank: 1,
    cell: ({ expires }) => <RelativeTime at={expires} />,
  },
  {
    id: 'id',
    header: 'Id',
    card: 'whole',
    width: '220px',
    rank: 2,
    cell: ({ join_token_id: id }) => <CopyId id={id} label="join token id" />,
  },
  {
    id: 'revoke',
    header: 'Actions',
    numeric: true,
    width: '88px',
    rank: 0,
    card: 'corner',
    cell: ({ join_token_id: id }) => (
      <Button
        size="compact-xs"
        variant="default"
        disabled={isPending}
        onClick={() => onRevoke(id)}
        aria-label={`Revoke the join token ${id}`}
      >
        Revoke
      </Button>
    ),
  },
];
