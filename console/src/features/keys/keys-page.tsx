import { Button, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { clustersQuery, keysQuery } from '../../api/queries';
import { usePermission } from '../../api/use-permission';
import { CopyId } from '../../components/copy-id';
import { DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { PlusIcon } from '../../components/icons';
import { useUrlState } from '../../components/url-state';
import { PageHead } from '../../layout/page-head';
import { isOver, keyColumns, searchText, type Key, type KeyAction } from './key-columns';
import { useUsageOfKeys } from './usage-of-keys';

const CreateKeyDialog = lazy(async () => ({ default: (await import('./create-key-dialog')).CreateKeyDialog }));
const KeyDialog = lazy(async () => ({ default: (await import('./key-dialogs')).KeyDialog }));

/** The last use of a key is no change that the live feed tells of. */
const REFRESH_MS = 10_000;

export function KeysPage() {
  const { data: keys, error, refetch } = useQuery({ ...keysQuery, refetchInterval: REFRESH_MS });
  const { data: clusters = [] } = useQuery(clustersQuery);
  const usage = useUsageOfKeys();
  const mayManage = usePermission('keys:manage');
  const [show, setShow] = useUrlState('show');
  const [creating, setCreating] = useUrlState('create');
  /** Of the key whose use is explained. */
  const [used, setUsed] = useUrlState('key');
  const [doing, setDoing] = useState<{ readonly action: KeyAction; readonly key: Key } | null>(null);
  const columns = useMemo(
    () =>
      keyColumns({
        clusters,
        usage,
        mayManage,
        onAction: (action, key) => (action === 'use' ? setUsed(key.key_id) : setDoing({ action, key })),
      }),
    [clusters, usage, mayManage, setUsed],
  );
  const usedKey = keys?.find((key) => key.key_id === used && !isOver(key));
  const over = keys?.filter(isOver).length ?? 0;
  const rows = useMemo(() => keys?.filter((key) => show === 'all' || !isOver(key)), [keys, show]);
  const createButton = (
    <Button leftSection={<PlusIcon />} onClick={() => setCreating('1')}>
      Create a key
    </Button>
  );
  return (
    <>
      <PageHead
        title="Keys"
        about={
          <>
            Programs send one with each request to{' '}
            <CopyId id={`${globalThis.location.origin}/v1`} label="base URL" whole />
          </>
        }
        action={createButton}
      />
      <DataTable
        label="Keys"
        rows={rows}
        columns={columns}
        rowKey={({ key_id }) => key_id}
        filterText={searchText}
        initialSort="name"
        error={error}
        onRetry={() => void refetch()}
        toolbar={
          over > 0 && (
            <Switch
              label={`Expired (${over})`}
              checked={show === 'all'}
              onChange={(event) => setShow(event.currentTarget.checked ? 'all' : '')}
            />
          )
        }
        empty={
          <EmptyState title="No keys yet" action={createButton} command="ferry keys create laptop">
            One key per program or person: then each can be limited, watched and revoked by itself.
          </EmptyState>
        }
      />
      <Suspense>
        {creating !== '' && <CreateKeyDialog clusters={clusters} onClose={() => setCreating('')} />}
        {usedKey !== undefined && <KeyDialog action="use" apiKey={usedKey} onClose={() => setUsed('')} />}
        {doing !== null && <KeyDialog action={doing.action} apiKey={doing.key} onClose={() => setDoing(null)} />}
      </Suspense>
    </>
  );
}
