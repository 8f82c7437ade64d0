import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { RunningRequests } from '../../components/running-requests';
import { PageHead } from '../../layout/page-head';
import { useSelectedCluster } from '../../layout/selected-cluster';
import { requestColumns } from './request-columns';
import { RequestFilters, useLogFilter } from './request-filters';
import { useRequestLog } from './request-log';

const tryCommand = `ferry chat`;

export function RequestsPage() {
  const navigate = useNavigate();
  const cluster = useSelectedCluster();
  const { values, active } = useLogFilter();
  const text = JSON.stringify(values);
  const filter = useMemo(
    () => ({ ...(JSON.parse(text) as typeof values), ...(cluster !== undefined && { cluster_id: cluster }) }),
    [text, cluster],
  );
  const { rows, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useRequestLog(filter);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const clear = () => void navigate({ to: '.', search: ({ cluster: kept }) => ({ cluster: kept }), replace: true });
  return (
    <>
      <PageHead
        title="Requests"
        about="Every request of this account, with its outcome. Prompts and responses are never stored."
      />
      <RunningRequests />
      <DataTable
        label="Requests"
        rows={rows}
        columns={requestColumns}
        rowKey={({ id }) => id}
        toolbar={<RequestFilters onClear={active ? clear : undefined} />}
        error={error}
        onRetry={() => void refetch()}
        onEndReached={loadMore}
        loadingMore={isFetchingNextPage}
        empty={
          active ? (
            <EmptyState
              title="No such requests"
              action={
                <Button variant="default" onClick={clear}>
                  Clear filters
                </Button>
              }
            >
              Nothing in the log matches all of these filters.
            </EmptyState>
          ) : (
            <EmptyState title="No requests yet" command={tryCommand}>
              Each request appears here a few seconds after it ends, from any client with a key and from the chat.
            </EmptyState>
          )
        }
      />
    </>
  );
}
