import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { clustersQuery, modelsQuery, nodesQuery, operationsQuery } from '../../api/queries';
import { usePermission } from '../../api/use-permission';
import { DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { PlusIcon } from '../../components/icons';
import { NoComputer } from '../../components/no-computer';
import { filterRows } from '../../components/sort-rows';
import { useUrlState } from '../../components/url-state';
import { PageHead } from '../../layout/page-head';
import { useSelectedCluster } from '../../layout/selected-cluster';
import { modelColumns, searchText } from './model-columns';
import { ModelDialogs, useModelDialogs } from '../../components/model-actions/model-dialogs';
import { useBusyPlaces } from '../../components/model-actions/use-busy-places';
import { isShow, ModelFilter } from './model-filter';
import { ModelPlaces } from './model-places';
import {
  canLoadAndUnload,
  isShown,
  loadablePlaces,
  loadedPlaces,
  modelRows,
  openInstalls,
  type ModelRow,
} from './model-rows';
import { OpenInstalls } from './open-installs';

const InstallDialog = lazy(async () => ({ default: (await import('./install/install-dialog')).InstallDialog }));

export function ModelsPage() {
  const { data: nodes, error, refetch } = useQuery(nodesQuery);
  const { data: models = [] } = useQuery(modelsQuery);
  const { data: clusters = [] } = useQuery(clustersQuery);
  const { data: operations = [] } = useQuery(operationsQuery);
  const cluster = useSelectedCluster();
  const [nodeId] = useUrlState('node');
  const [install, setInstall] = useUrlState('install');
  /** The model that a link asks to load, by its selector. */
  const [asked, setAsked] = useUrlState('load');
  const [shownState, setShow] = useUrlState('show');
  const show = isShow(shownState) ? shownState : '';
  const { doing, actions, close } = useModelDialogs();
  const mayManage = usePermission('operations:write');

  const rows = useMemo(
    () =>
      nodes === undefined
        ? undefined
        : modelRows({
            nodes: nodes.filter(
              (node) =>
                (cluster === undefined || node.cluster_id === cluster) && (nodeId === '' || node.node_id === nodeId),
            ),
            models,
            clusters,
            operations,
          }),
    [nodes, models, clusters, operations, cluster, nodeId],
  );
  const shown = useMemo(() => rows?.filter((row) => isShown(row, show)), [rows, show]);
  // The numbers of the states are those of the rows that the typed filter leaves.
  const [typed] = useUrlState('q');
  const found = useMemo(() => filterRows(rows ?? [], typed, searchText), [rows, typed]);
  const asksFor = rows?.find(({ selector }) => selector === asked);
  const requested = asksFor && { kind: 'load' as const, places: loadablePlaces(asksFor) };
  const severalClusters = clusters.length > 1;
  const roomy = useMemo(() => mayManage && (rows ?? []).some(canLoadAndUnload), [rows, mayManage]);
  const hasSentences = useMemo(
    () =>
      (rows ?? []).some(({ placements }) =>
        placements.some(({ operation, failure }) => operation !== undefined || failure !== undefined),
      ),
    [rows],
  );
  const loaded = useMemo(() => (rows ?? []).flatMap(loadedPlaces), [rows]);
  const busy = useBusyPlaces(loaded);
  const columns = useMemo(
    () => modelColumns({ severalClusters, roomy, hasSentences, mayManage, busy, ...actions }),
    [severalClusters, roomy, hasSentences, mayManage, busy, actions],
  );
  const details = useCallback(
    (row: ModelRow) => <ModelPlaces row={row} mayManage={mayManage} busy={busy} {...actions} />,
    [mayManage, busy, actions],
  );
  const hasComputers = nodes !== undefined && nodes.length > 0;
  const installButton = mayManage && hasComputers && (
    <Button leftSection={<PlusIcon />} onClick={() => setInstall('1')}>
      Install a model
    </Button>
  );
  const computer = nodes?.find(({ node_id }) => node_id === nodeId);
  return (
    <>
      <PageHead
        title="Models"
        about={
          computer === undefined
            ? 'All models on your computers. Requests are answered by loaded models.'
            : `On ${computer.name} only.`
        }
        action={installButton}
      />
      <ModelDialogs doing={doing} onClose={close} />
      {mayManage && requested !== undefined && <ModelDialogs doing={requested} onClose={() => setAsked('')} />}
      <OpenInstalls operations={openInstalls(operations)} />
      <DataTable
        label="Models"
        rows={shown}
        columns={columns}
        rowKey={({ key }) => key}
        filterText={searchText}
        initialSort="where"
        // Of no models there is nothing to filter.
        {...(rows !== undefined &&
          rows.length > 0 && { toolbar: <ModelFilter rows={found} show={show} onShow={setShow} /> })}
        details={details}
        error={error}
        onRetry={() => void refetch()}
        empty={
          rows !== undefined && rows.length > 0 ? (
            <EmptyState title="No such model" action={<Button onClick={() => setShow('')}>Show all</Button>}>
              No model is in this state now.
            </EmptyState>
          ) : hasComputers ? (
            <EmptyState title="No models yet" action={installButton} command="ferry models install qwen3:8b --load">
              Models that the engines of online computers have show up by themselves.
            </EmptyState>
          ) : (
            <NoComputer title="No models yet">Models live on computers: add one first.</NoComputer>
          )
        }
      />
      <Suspense>
        {mayManage && install !== '' && nodes !== undefined && (
          <InstallDialog nodes={nodes} nodeId={nodeId} onClose={() => setInstall('')} />
        )}
      </Suspense>
    </>
  );
}
