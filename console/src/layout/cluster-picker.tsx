import { Menu, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { clustersQuery, whoAmIQuery } from '../api/queries';
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
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.picker} data-wide={wide || undefined} title="Choose a cluster">
          <img src="/console/favicon.svg" alt="" width={24} height={24} />
          <span className={classes.names}>
            <span className={classes.installation}>{installation}</span>
            <span className={classes.cluster}>{label}</span>
          </span>
          <ChevronDownIcon />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Show</Menu.Label>
        <Entry name="All clusters" chosen={selected === undefined} onClick={() => select(undefined)} />
        {clusters.map(({ cluster_id, name: title, online, nodes }) => (
          <Entry
            key={cluster_id}
            name={title}
            chosen={selected === cluster_id}
            note={`${online} of ${nodes} online`}
            onClick={() => select(cluster_id)}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface EntryProps {
  readonly name: string;
  readonly chosen: boolean;
  readonly note?: string;
  readonly onClick: () => void;
}

function Entry({ name, chosen, note, onClick }: EntryProps) {
  return (
    <Menu.Item
      onClick={onClick}
      leftSection={<span className={classes.mark}>{chosen && <CheckIcon />}</span>}
      rightSection={note !== undefined && <span className={classes.note}>{note}</span>}
      aria-current={chosen || undefined}
    >
      <span className={classes.name}>{name}</span>
    </Menu.Item>
  );
}
