import { Button, Select } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { whoAmIQuery } from '../../api/queries';
import { usePermission } from '../../api/use-permission';
import { DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { useUrlState } from '../../components/url-state';
import { PageTitle } from '../../layout/page-title';
import { auditColumns, auditDetails } from './audit-columns';
import classes from './settings.module.css';
import { auditFilter, auditQuery, usersQuery, type User } from './settings-queries';

/** Parts before the dot of what is recorded. */
const kinds = [
  { value: '', label: 'All changes' },
  { value: 'user', label: 'People' },
  { value: 'invite', label: 'Invites' },
  { value: 'session', label: 'Sign-ins' },
  { value: 'cli-token', label: 'Command lines' },
  { value: 'key', label: 'API keys' },
  { value: 'node', label: 'Computers' },
  { value: 'cluster', label: 'Clusters' },
  { value: 'operation', label: 'Models' },
  { value: 'account', label: 'Account' },
];

export function AuditTrail() {
  const { data: me } = useQuery(whoAmIQuery);
  const mayRead = usePermission('audit:read');
  if (me !== undefined && !mayRead) {
    return (
      <>
        <PageTitle title="Audit trail" />
        <EmptyState title="For admins">
          The audit trail tells who changed what. An admin or owner of the account can see it.
        </EmptyState>
      </>
    );
  }
  return <AuditTable />;
}

function AuditTable() {
  const [action, setAction] = useUrlState('action');
  const [actor, setActor] = useUrlState('actor');
  const filter = useMemo(() => auditFilter({ action, actor }), [action, actor]);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(auditQuery(filter));
  const { data: users = nobody } = useQuery(usersQuery);
  const columns = useMemo(() => {
    const names = new Map(users.map(({ user_id, name }) => [user_id, name]));
    return auditColumns((userId) => names.get(userId));
  }, [users]);
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data), [data]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const query = new URLSearchParams({ format: 'csv', ...filter }).toString();
  return (
    <>
      <PageTitle title="Audit trail" />
      <div className={classes.head}>
        <p className={classes.about}>Every change in the account. Entries cannot be edited or deleted.</p>
        <Button
          component="a"
          href={`/api/audit?${query}`}
          download="audit.csv"
          variant="default"
          className={classes.headButton}
        >
          Export CSV
        </Button>
      </div>
      <DataTable
        label="Audit trail"
        rows={rows}
        columns={columns}
        rowKey={({ id }) => id}
        details={auditDetails}
        toolbar={
          <>
            <Select
              aria-label="Which changes"
              className={classes.filter}
              data={kinds}
              value={action}
              onChange={(value) => setAction(value ?? '')}
            />
            <PersonSelect users={users} value={actor} onChange={setActor} />
          </>
        }
        error={error}
        onRetry={() => void refetch()}
        onEndReached={loadMore}
        loadingMore={isFetchingNextPage}
        empty={
          <EmptyState
            title={action === '' && actor === '' ? 'Nothing has changed yet' : 'No such changes'}
            command="ferry audit"
          >
            Changes of people, keys, computers and models are recorded here.
          </EmptyState>
        }
      />
    </>
  );
}

const nobody: readonly User[] = [];

interface PersonSelectProps {
  readonly users: readonly User[];
  readonly value: string;
  readonly onChange: (userId: string) => void;
}

/** More names are found by typing. */
const UNSEARCHED_PEOPLE = 8;

/** Who has changed something. */
function PersonSelect({ users, value, onChange }: PersonSelectProps) {
  const people = users.map(({ user_id, name }) => ({ value: user_id, label: name }));
  // Whoever was removed is still in links and in the trail.
  const isGone = value !== '' && people.every((person) => person.value !== value);
  return (
    <Select
      aria-label="By whom"
      className={classes.filter}
      data={[{ value: '', label: 'By anybody' }, ...people, ...(isGone ? [{ value, label: value }] : [])]}
      searchable={people.length > UNSEARCHED_PEOPLE}
      value={value}
      onChange={(userId) => onChange(userId ?? '')}
    />
  );
}
