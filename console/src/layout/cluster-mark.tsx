import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { clustersQuery } from '../api/queries';
import { CutText } from '../components/cut-text';
import tag from '../components/tag.module.css';
import classes from './cluster-mark.module.css';
import { useSelectedCluster } from './selected-cluster';

/** Pages that show one cluster where one is chosen. */
const limited = ['/computers', '/models', '/usage', '/requests'];

/** The chosen cluster, beside the title of a page that is limited to it, where the navigation has no room for its name. */
export function ClusterMark() {
  const selected = useSelectedCluster();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isLimited = selected !== undefined && limited.includes(path);
  const { data: clusters = [] } = useQuery({ ...clustersQuery, enabled: isLimited });
  const name = clusters.find(({ cluster_id }) => cluster_id === selected)?.name;
  if (!isLimited || name === undefined) return null;
  return (
    <span className={`${tag.tag} ${classes.mark}`}>
      <CutText text={name} />
    </span>
  );
}
