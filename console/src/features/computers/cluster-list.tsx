import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/management-api.types';
import { usePermission } from '../../api/use-permission';
import { CopyId } from '../../components/copy-id';
import { CutText } from '../../components/cut-text';
import { count, countOf } from '../../components/format';
import type { ClusterChange } from './cluster-dialogs';
import classes from './computers.module.css';

type Cluster = Schemas['Cluster'];

const ClusterDialog = lazy(() => import('./cluster-dialogs'));

/** Clusters are groups of computers that requests and keys can be limited to. */
export function ClusterList({ clusters }: { readonly clusters: readonly Cluster[] }) {
  const [doing, setDoing] = useState<ClusterChange | null>(null);
  const mayManage = usePermission('clusters:write');
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
      <ul className={classes.clusters}>
        {clusters.map((cluster) => (
          <li key={cluster.cluster_id} className={classes.cluster}>
            <Link
              to="/computers"
              search={{ cluster: cluster.cluster_id }}
              className={`${classes.link} ${classes.clusterName}`}
            >
              <CutText text={cluster.name} />
            </Link>
            <span className={classes.quiet}>
              {count(cluster.online)} of {count(cluster.nodes)} online
              {/* Not known of computers that are offline. */}
              {(cluster.online > 0 || cluster.nodes === 0) && ` · ${countOf(cluster.models, 'model')} installed`}
            </span>
            <CopyId id={cluster.cluster_id} label="cluster id" />
            {mayManage && (
              <span className={classes.title}>
                <Button size="compact-xs" variant="default" onClick={() => setDoing({ kind: 'rename', cluster })}>
                  Rename
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={cluster.nodes > 0}
                  onClick={() => setDoing({ kind: 'delete', cluster })}
                >
                  Delete
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {mayManage && clusters.some(({ nodes }) => nodes > 0) && (
        <p className={classes.note}>A cluster can be deleted when it has no computers: move or revoke them first.</p>
      )}
      {doing !== null && (
        <Suspense>
          <ClusterDialog change={doing} onClose={() => setDoing(null)} />
        </Suspense>
      )}
    </section>
  );
}
