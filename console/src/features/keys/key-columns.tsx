import { ActionIcon, Badge } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/management-api.types';
import { ActionMenu } from '../../components/action-menu';
import { CutText } from '../../components/cut-text';
import type { Column } from '../../components/data-table';
import { DottedLine } from '../../components/dotted-line';
import { count, relativeTime } from '../../components/format';
import { ActionsIcon } from '../../components/icons';
import { RelativeTime } from '../../components/relative-time';
import { Sparkline } from '../../components/sparkline';
import { WholeName } from '../../components/whole-name';
import { accessText } from './access';
import classes from './keys.module.css';
import { limitParts, limitsText } from './limits-text';
import { DAYS, type UsageOfKeys } from './usage-of-keys';

export type Key = Schemas['Key'];
export type KeyAction = 'use' | 'edit' | 'roll' | 'revoke';

export const isOver = ({ revoked, expires }: Key): boolean =>
  revoked !== null || (expires !== null && expires * 1_000 <= Date.now());

export const searchText = ({ name, key_id, description, last4 }: Key): string =>
  [name, key_id, description ?? '', last4].join(' ');

interface KeyColumns {
  readonly clusters: readonly Schemas['Cluster'][];
  readonly usage: UsageOfKeys;
  readonly mayManage: boolean;
  readonly onAction: (action: KeyAction, key: Key) => void;
}

const total = (values: readonly number[] | undefined): number => values?.reduce((sum, value) => sum + value, 0) ?? 0;

export function keyColumns({ clusters, usage, onAction }: KeyColumns): readonly Column<Key>[] {
  const names = new Map(clusters.map(({ cluster_id, name }) => [cluster_id, name]));
  return [
    { id: 'name', header: 'Name', heading: true, sortBy: ({ name }) => name, cell: (key) => <Name apiKey={key} /> },
    {
      id: 'about',
      header: 'About',
      card: 'third',
      cardOnly: true,
      cell: ({ scopes, cluster_ids, limits, expires }) => (
        <DottedLine
          parts={[
            accessText(scopes),
            ...(cluster_ids ?? []).map((id) => names.get(id) ?? id),
            ...limitParts(limits),
            expiryText(expires),
          ]}
        />
      ),
    },
    {
      id: 'reach',
      header: 'Access',
      card: 'none',
      rank: 4,
      below: ({ scopes, cluster_ids }) =>
        [accessText(scopes), ...(cluster_ids ?? []).map((id) => names.get(id) ?? id)].join(', '),
      cell: ({ scopes, cluster_ids }) => (
        <span>
          {accessText(scopes)}
          {cluster_ids !== null && (
            <span className={classes.quiet}> · {cluster_ids.map((id) => names.get(id) ?? id).join(', ')}</span>
          )}
        </span>
      ),
    },
    {
      id: 'limits',
      header: 'Limits',
      card: 'none',
      rank: 6,
      below: ({ limits }) => limitParts(limits),
      cell: ({ limits }) => <span className={classes.quiet}>{limitsText(limits)}</span>,
    },
    {
      id: 'usage',
      header: `Requests, ${DAYS} days`,
      width: '150px',
      numeric: true,
      rank: 2,
      sortBy: ({ key_id }) => total(usage.get(key_id)),
      cell: ({ key_id, name }) => {
        const values = usage.get(key_id) ?? Array.from({ length: DAYS }, () => 0);
        const sum = count(total(values));
        return (
          <span className={classes.usage}>
            <span className={classes.sum}>{sum}</span>
            <Sparkline values={values} label={`Requests of ${name} in the last ${DAYS} days: ${sum}`} />
          </span>
        );
      },
    },
    {
      id: 'used',
      header: 'Last used',
      rank: 1,
      width: '110px',
      sortBy: ({ last_used }) => last_used ?? 0,
      cell: ({ last_used }) => <RelativeTime at={last_used} />,
    },
    {
      id: 'expires',
      header: 'Expires',
      card: 'none',
      rank: 3,
      width: '110px',
      sortBy: ({ expires }) => expires ?? Number.MAX_SAFE_INTEGER,
      cell: ({ expires }) => <RelativeTime at={expires} />,
    },
    {
      id: 'action',
      header: 'Actions',
      numeric: true,
      width: '80px',
      rank: 0,
      card: 'corner',
      cell: (key) => (isOver(key) ? null : <Actions apiKey={key} onAction={onAction} />),
    },
  ];
}

/** "never expires", "expires in 2 h", "expired Nov 22" */
function expiryText(expires: number | null): string {
  if (expires === null) return 'never expires';
  const now = Date.now();
  return `${expires * 1_000 <= now ? 'expired' : 'expires'} ${relativeTime(expires, now)}`;
}

function Name({ apiKey: key }: { readonly apiKey: Key }) {
  return (
    <div className={classes.name}>
      <span className={classes.title}>
        {isOver(key) ? (
          <strong>
            <WholeName text={key.name} />
          </strong>
        ) : (
          <Link to="/keys" search={(search) => ({ ...search, key: key.key_id })} className={classes.link}>
            <WholeName text={key.name} />
          </Link>
        )}
        {key.revoked !== null && <State text="revoked" />}
        {key.revoked === null && isOver(key) && <State text="expired" />}
      </span>
      <code className={classes.quiet}>
        <CutText text={`sk-ferry-${key.key_id.replace(/^key_/, '')}…${key.last4}`} endLength={key.last4.length} />
      </code>
      {key.description !== null && <bdi className={classes.description}>{key.description}</bdi>}
    </div>
  );
}

const State = ({ text }: { readonly text: string }) => (
  <Badge size="xs" variant="default" className={classes.badge}>
    {text}
  </Badge>
);

function Actions({ apiKey: key, onAction }: { readonly apiKey: Key; readonly onAction: KeyColumns['onAction'] }) {
  return (
    <ActionMenu
      button={
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${key.name}`}>
          <ActionsIcon />
        </ActionIcon>
      }
      entries={[
        { label: 'How to use…', onClick: () => onAction('use', key) },
        { label: 'Name and limits…', onClick: () => onAction('edit', key) },
        { label: 'Roll…', onClick: () => onAction('roll', key) },
        'divider',
        { label: 'Revoke…', grave: true, onClick: () => onAction('revoke', key) },
      ]}
    />
  );
}
