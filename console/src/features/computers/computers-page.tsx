import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { clustersQuery, nodesQuery } from '../../api/queries';
import { usePermission } from '../../api/use-permission';
import { DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { isGone, type GoneNodes } from '../../components/gone-nodes';
import { useGoneNodes } from '../../components/use-gone-nodes';
import { PlusIcon } from '../../components/icons';
import { needsAttention, type Node } from '../../components/node-facts';
import { useUrlState } from '../../components/url-state';
import { PageHead } from '../../layout/page-head';
import { useSelectedCluster } from '../../layout/selected-cluster';
import { ClusterList } from './cluster-list';
import { computerColumns, searchText } from './computer-columns';
import { JoinTokenList } from './join-token-list';
import { ShowFilter } from './show-filter';

const AddComputerDialog = lazy(async () => ({ default: (await import('./add-computer-dialog')).AddComputerDialog }));

export function ComputersPage() {
  const { data: nodes, error, refetch } = useQuery(nodesQuery);
  const { data: clusters = [] } = useQuery(clustersQuery);
  const gone = useGoneNodes(nodes?.some(({ online }) => !online) ?? false);
  const cluster = useSelectedCluster();
  const mayManage = usePermission('nodes:write');
  const [show, setShow] = useUrlState('show');
  const [adding, setAdding] = useUrlState('add');
  const [dialog, setDialog] = useState(0);
  const inCluster = useMemo(
    () => nodes?.filter(({ cluster_id }) => cluster === undefined || cluster_id === cluster),
    [nodes, cluster],
  );
  const rows = useMemo(() => inCluster?.filter((node) => isShown(node, show, gone)), [inCluster, show, gone]);
  const columns = useMemo(() => computerColumns(clusters, gone), [clusters, gone]);
  const add = () => {
    setDialog((count) => count + 1);
    setAdding('1');
  };
  const addButton = mayManage && (
    <Button leftSection={<PlusIcon />} onClick={add}>
      Add a computer
    </Button>
  );
  return (
    <>
      <PageHead
        title="Computers"
        about="The machines that run your models."
        // The empty list has it.
        action={inCluster?.length !== 0 && addButton}
      />
      <DataTable
        label="Computers"
        rows={rows}
        columns={columns}
        rowKey={({ node_id }) => node_id}
        filterText={searchText}
        initialSort="name"
        error={error}
        onRetry={() => void refetch()}
        toolbar={
          inCluster && inCluster.length > 0 && <ShowFilter nodes={inCluster} gone={gone} show={show} onShow={setShow} />
        }
        empty={
          inCluster !== undefined && inCluster.length > 0 ? (
            <EmptyState title="No such computer" action={<Button onClick={() => setShow('')}>Show all</Button>}>
              No computer is in this state now.
            </EmptyState>
          ) : (
            <EmptyState
              title="No computers yet"
              action={addButton}
              command="ferry nodes join-token"
              commandDoes="make a join command"
            >
              A computer with Ollama, LM Studio or the built-in engine serves its models through Ferry once it has
              joined.
            </EmptyState>
          )
        }
      />
      <ClusterList clusters={clusters} />
      {mayManage && <JoinTokenList clusters={clusters} />}
      {mayManage && (adding !== '' || dialog > 0) && (
        <Suspense>
          <AddComputerDialog
            key={dialog}
            opened={adding !== ''}
            clusters={clusters}
            cluster={cluster}
            onClose={() => setAdding('')}
          />
        </Suspense>
      )}
    </>
  );
}

function isShown(node: Node, show: string, gone: GoneNodes): boolean {
  switch (show) {
    case 'online':
      return node.online;
    case 'offline':
      return !node.online;
    case 'attention':
      return needsAttention(node, isGone(gone, node));
    default:
      return true;
  }
}
