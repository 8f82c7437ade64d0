import { ActionIcon, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { Schemas } from '../../api/management-api.types';
import { usePermission } from '../../api/use-permission';
import { ActionMenu } from '../../components/action-menu';
import { CopyId } from '../../components/copy-id';
import { CutText } from '../../components/cut-text';
import { DataTable, type Column } from '../../components/data-table';
import { count, countOf, NONE } from '../../components/format';
import { ActionsIcon } from '../../components/icons';
import type { ClusterChange } from './cluster-dialogs';
import classes from './computers.module.css';

type Cluster = Schemas['Cluster'];

const ClusterDialog = lazy(() => import('./cluster-dialogs'));

/** Clusters are groups of computers that requests and keys can be limited to. */
export function ClusterList({ clusters }: { readonly clusters: readonly Cluster[] }) {
  const [doing, setDoing] = useState<ClusterChange | null>(null);
  const mayManage = usePermission('clusters:write');
  const columns = useMemo(() => columnsOf(mayManage, setDoing), [mayManage]);
  return (
    <section className={classes.section} aria-labelledby="clusters">
      <div className={classes.sectionHead}>
        <h2 id="clusters" className={classes.sectionTitle}>
          Clusters
        </h2>
        {mayManage && (
          <Button size="xs" variant="default" onClick={() => setDoing({ kind: 'create' })}>
            New cluster
          </Button>
        )}
      </div>
      <DataTable
        label="Clusters"
        prefix="c"
        rows={clusters}
        columns={columns}
        rowKey={({ cluster_id }) => cluster_id}
        empty={null}
      />
      {doing !== null && (
        <Suspense>
          <ClusterDialog change={doing} onClose={() => setDoing(null)} />
        </Suspense>
      )}
    </section>
  );
}

const columnsOf = (mayManage: boolean, onChange: (change: ClusterChange) => void): readonly Column<Cluster>[] => [
  {
    id: 'name',
    header: 'Name',
    heading: true,
    sortBy: ({ name }) => name,
    cell: ({ cluster_id, name }) => (
      <Link to="/computers" search={{ cluster: cluster_id }} className={classes.link}>
        <CutText text={name} />
      </Link>
    ),
  },
  {
    id: 'nodes',
    header: 'Computers',
    card: 'line',
    width: '160px',
    rank: 0,
    sortBy: ({ nodes }) => nodes,
    cell: ({ online, nodes }) => (nodes === 0 ? 'No computers' : `${count(online)} of ${count(nodes)} online`),
  },
  {
    id: 'models',
    header: 'Models installed',
    card: 'named',
    width: '140px',
    rank: 1,
    sortBy: ({ models }) => models,
    // Not known of computers that are offline.
    cell: ({ online, models }) => (online > 0 ? count(models) : NONE),
    below: ({ online, models }) => (online > 0 ? `${countOf(models, 'model')} installed` : null),
  },
  {
    id: 'id',
    header: 'Id',
    card: 'whole',
    // With its button it has room in every table.
    width: '180px',
    rank: 0,
    cell: ({ cluster_id }) => <CopyId id={cluster_id} label="cluster id" />,
  },
  ...(mayManage
    ? [
        {
          id: 'actions',
          header: 'Actions',
          numeric: true,
          width: '80px' as const,
          rank: 0,
          card: 'corner' as const,
          cell: (cluster: Cluster) => <ClusterMenu cluster={cluster} onChange={onChange} />,
        },
      ]
    : []),
];

interface ClusterMenuProps {
  readonly cluster: Cluster;
  readonly onChange: (change: ClusterChange) => void;
}

function ClusterMenu({ cluster, onChange }: ClusterMenuProps) {
  const hasComputers = cluster.nodes > 0;
  return (
    <ActionMenu
      width={240}
      button={
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for the cluster ${cluster.name}`}>
          <ActionsIcon />
        </ActionIcon>
      }
      entries={[
        { label: 'Rename…', onClick: () => onChange({ kind: 'rename', cluster }) },
        'divider',
        {
          label: 'Delete…',
          grave: true,
          disabled: hasComputers,
          onClick: () => onChange({ kind: 'delete', cluster }),
        },
        ...(hasComputers ? [{ heading: 'Move or revoke its computers first.' }] : []),
      ]}
    />
  );
}
