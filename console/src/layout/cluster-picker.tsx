import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { clustersQuery, whoAmIQuery } from '../api/queries';
import { ActionMenu, type MenuEntry } from '../components/action-menu';
import { CutText } from '../components/cut-text';
import { count } from '../components/format';
import { CheckIcon, ChevronDownIcon } from '../components/icons';
import classes from './cluster-picker.module.css';
import { useSelectCluster, useSelectedCluster } from './selected-cluster';
import { installationName } from './page-title';

/** @param wide shows the name on every screen, as in the drawer of a phone */
export function ClusterPicker({ wide = false }: { readonly wide?: boolean }) {
  const { data: clusters = [] } = useQuery(clustersQuery);
  const { data: me } = useQuery(whoAmIQuery);
  const selected = useSelectedCluster();
  const select = useSelectCluster();
  const name = clusters.find(({ cluster_id }) => cluster_id === selected)?.name;
  const label = name ?? (clusters.length === 1 ? clusters[0]?.name : undefined) ?? 'All clusters';
  const installation = installationName(me?.service.name);
  return (
    <ActionMenu
      position="bottom-start"
      width={wide ? 'target' : 300}
      button={
        <UnstyledButton className={classes.picker} data-wide={wide || undefined} title="Choose a cluster">
          <img src="/console/favicon.svg" alt="" width={24} height={24} />
          <span className={classes.names}>
            <span className={classes.installation}>
              <CutText text={installation} />
            </span>
            <span className={classes.cluster}>
              <CutText text={label} />
            </span>
          </span>
          <ChevronDownIcon />
        </UnstyledButton>
      }
      entries={[
        { heading: 'Show' },
        entry({ name: 'All clusters', chosen: selected === undefined, onClick: () => select(undefined) }),
        ...clusters.map(({ cluster_id, name: title, online, nodes }) =>
          entry({
            name: title,
            chosen: selected === cluster_id,
            note: `${count(online)} of ${count(nodes)} online`,
            onClick: () => select(cluster_id),
          }),
        ),
      ]}
    />
  );
}

interface Entry {
  readonly name: string;
  readonly chosen: boolean;
  readonly note?: string;
  readonly onClick: () => void;
}

const entry = ({ name, chosen, note, onClick }: Entry): MenuEntry => ({
  label: <CutText text={name} />,
  onClick,
  left: <span className={classes.mark}>{chosen && <CheckIcon />}</span>,
  right: note !== undefined && <span className={classes.note}>{note}</span>,
  current: chosen,
});
