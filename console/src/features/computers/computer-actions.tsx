import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { ActionMenu } from '../../components/action-menu';
import { ChevronDownIcon } from '../../components/icons';
import type { Node } from '../../components/node-facts';
import type { ComputerChange } from './computer-dialogs';

const ComputerDialog = lazy(() => import('./computer-dialogs'));
const NotesDialog = lazy(() => import('./notes-dialog'));

export function ComputerActions({ node }: { readonly node: Node }) {
  const [doing, setDoing] = useState<ComputerChange | null>(null);
  const [noting, setNoting] = useState(false);
  const queries = useQueryClient();
  const pause = useMutation({
    mutationFn: () => {
      const params = { path: { nodeId: node.node_id } };
      return bodyOf(
        node.paused
          ? api.POST('/api/nodes/{nodeId}/resume', { params })
          : api.POST('/api/nodes/{nodeId}/pause', { params }),
      );
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['nodes'] }),
  });
  return (
    <>
      {node.status === 'pending' && <Button onClick={() => setDoing('confirm')}>Confirm</Button>}
      <Button variant="default" onClick={() => setNoting(true)}>
        Note and tags…
      </Button>
      <Button
        variant="default"
        loading={pause.isPending}
        onClick={() => pause.mutate()}
        title={node.paused ? 'Send it requests again' : 'No new requests; what runs goes on'}
      >
        {node.paused ? 'Resume' : 'Pause'}
      </Button>
      <ActionMenu
        button={
          <Button variant="default" rightSection={<ChevronDownIcon />}>
            More
          </Button>
        }
        entries={[
          { label: 'Rename…', onClick: () => setDoing('rename') },
          { label: 'Move to another cluster…', onClick: () => setDoing('move') },
          'divider',
          { label: 'Revoke…', grave: true, onClick: () => setDoing('revoke') },
        ]}
      />
      {noting && (
        <Suspense>
          <NotesDialog node={node} onClose={() => setNoting(false)} />
        </Suspense>
      )}
      {doing !== null && (
        <Suspense>
          <ComputerDialog change={doing} node={node} onClose={() => setDoing(null)} />
        </Suspense>
      )}
    </>
  );
}
