import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { nodesQuery } from '../../api/queries';
import { DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { LinkButton } from '../../components/link-button';
import { requestColumns } from '../../components/logged-request-columns';
import { NoComputer } from '../../components/no-computer';
import { RunningRequests } from '../../components/running-requests';
import shared from '../../components/table-section.module.css';
import { PageHead } from '../../layout/page-head';
import { useSelectedCluster } from '../../layout/selected-cluster';
import { RequestFilters, useLogFilter } from './request-filters';
import { useRequestLog } from './request-log';
import classes from './requests.module.css';

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
  const { data: nodes } = useQuery(nodesQuery);
  // There is nothing to be filtered yet.
  const isNew = rows?.length === 0 && !active && cluster === undefined;
  const clear = () => void navigate({ to: '.', search: ({ cluster: kept }) => ({ cluster: kept }), replace: true });
  const head = (
    <PageHead
      title="Requests"
      about="Every request of this account, with its outcome. Prompts and responses are never stored."
    />
  );
  if (isNew && nodes?.length === 0) {
    return (
      <>
        {head}
        <NoComputer title="No requests yet">Requests are answered by models on computers: add one first.</NoComputer>
      </>
    );
  }
  return (
    <>
      {head}
      <RunningRequests />
      <section aria-labelledby="finished">
        <h2 id="finished" className={`${shared.title} ${classes.finished}`}>
          Finished
        </h2>
        <DataTable
          label="Requests"
          rows={rows}
          columns={requestColumns}
          rowKey={({ id }) => id}
          toolbar={isNew ? undefined : <RequestFilters onClear={active ? clear : undefined} />}
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
              <EmptyState
                title="No requests yet"
                action={
                  <LinkButton to="/chat" variant="default">
                    Open chat
                  </LinkButton>
                }
                command={tryCommand}
              >
                Requests from any program with a key, and from Chat, appear here a few seconds after they end.
              </EmptyState>
            )
          }
        />
      </section>
    </>
  );
}
