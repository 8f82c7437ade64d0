import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { clustersQuery, modelsQuery, nodesQuery, operationsQuery } from '../../api/queries';
import { usePermission } from '../../api/use-permission';
import { DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { PlusIcon } from '../../components/icons';
import { LinkButton } from '../../components/link-button';
import { useUrlState } from '../../components/url-state';
import { PageHead } from '../../layout/page-head';
import { useSelectedCluster } from '../../layout/selected-cluster';
import { modelColumns, searchText } from './model-columns';
import { ModelPlaces } from './model-places';
import { modelRows, runningInstalls, type ModelRow, type Placement } from './model-rows';
import { RunningInstalls } from './running-installs';

const InstallDialog = lazy(async () => ({ default: (await import('./install/install-dialog')).InstallDialog }));
const LoadSheet = lazy(async () => ({ default: (await import('./load-sheet')).LoadSheet }));
const RemoveDialog = lazy(async () => ({ default: (await import('./remove-dialog')).RemoveDialog }));

type Doing = { readonly kind: 'load' | 'remove'; readonly place: Placement };

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
  const [doing, setDoing] = useState<Doing | null>(null);
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
  const requestedPlace = useMemo(
    () =>
      rows
        ?.flatMap(({ placements }) => placements)
        .find(({ model }) => model.selector === asked && ['installed', 'failed'].includes(model.state)),
    [rows, asked],
  );
  const onLoad = useCallback((place: Placement) => setDoing({ kind: 'load', place }), []);
  const onRemove = useCallback((place: Placement) => setDoing({ kind: 'remove', place }), []);
  const severalClusters = clusters.length > 1;
  const columns = useMemo(
    () => modelColumns({ severalClusters, mayManage, onLoad }),
    [severalClusters, mayManage, onLoad],
  );
  const details = useCallback(
    (row: ModelRow) => <ModelPlaces row={row} mayManage={mayManage} onLoad={onLoad} onRemove={onRemove} />,
    [mayManage, onLoad, onRemove],
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
            ? 'What the computers have; requests are answered by loaded ones.'
            : `On ${computer.name} only.`
        }
        action={installButton}
      />
      <RunningInstalls operations={runningInstalls(operations)} />
      <DataTable
        label="Models"
        rows={rows}
        columns={columns}
        rowKey={({ key }) => key}
        filterText={searchText}
        initialSort="name"
        details={details}
        error={error}
        onRetry={() => void refetch()}
        empty={
          hasComputers ? (
            <EmptyState title="No models yet" action={installButton} command="ferry models install qwen3:8b --load">
              Models that the engines of online computers have show up by themselves.
            </EmptyState>
          ) : (
            <EmptyState
              title="No models yet"
              action={
                mayManage && (
                  <LinkButton to="/computers" search={{ add: '1' }}>
                    Add a computer
                  </LinkButton>
                )
              }
              command="ferry nodes join-token"
            >
              Models live on computers: add one first.
            </EmptyState>
          )
        }
      />
      <Suspense>
        {doing?.kind === 'load' && <LoadSheet place={doing.place} onClose={() => setDoing(null)} />}
        {mayManage && requestedPlace !== undefined && <LoadSheet place={requestedPlace} onClose={() => setAsked('')} />}
        {doing?.kind === 'remove' && <RemoveDialog place={doing.place} onClose={() => setDoing(null)} />}
        {mayManage && install !== '' && nodes !== undefined && (
          <InstallDialog nodes={nodes} nodeId={nodeId} onClose={() => setInstall('')} />
        )}
      </Suspense>
    </>
  );
}
