import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Schemas } from '../../api/management-api.types';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { NameDialog } from '../../components/name-dialog';

type Cluster = Schemas['Cluster'];
interface OfCluster {
  readonly cluster: Cluster;
  readonly onClose: () => void;
}

export type ClusterChange =
  | { readonly kind: 'create' }
  | { readonly kind: 'rename' | 'delete'; readonly cluster: Cluster };

interface ClusterDialogProps {
  readonly change: ClusterChange;
  readonly onClose: () => void;
}

/** What is asked before clusters are changed. */
export default function ClusterDialog({ change, onClose }: ClusterDialogProps) {
  if (change.kind === 'create') return <CreateClusterDialog onClose={onClose} />;
  const Dialog = change.kind === 'rename' ? RenameClusterDialog : DeleteClusterDialog;
  return <Dialog cluster={change.cluster} onClose={onClose} />;
}

function useClusterChange<Input>(change: (input: Input) => Promise<unknown>, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    async onSuccess() {
      onDone();
      await queries.invalidateQueries({ queryKey: ['clusters'] });
    },
  });
}

function CreateClusterDialog({ onClose }: { readonly onClose: () => void }) {
  const { mutate, isPending, error } = useClusterChange(
    (name: string) => bodyOf(api.POST('/api/clusters', { body: { name } })),
    onClose,
  );
  return (
    <NameDialog
      title="New cluster"
      action="Create"
      label="Name"
      pending={isPending}
      error={error}
      onName={mutate}
      onClose={onClose}
    />
  );
}

function RenameClusterDialog({ cluster, onClose }: OfCluster) {
  const path = { clusterId: cluster.cluster_id };
  const { mutate, isPending, error } = useClusterChange(
    (name: string) => bodyOf(api.PATCH('/api/clusters/{clusterId}', { params: { path }, body: { name } })),
    onClose,
  );
  return (
    <NameDialog
      title={`Rename ${cluster.name}`}
      action="Rename"
      label="Name"
      initial={cluster.name}
      pending={isPending}
      error={error}
      onName={mutate}
      onClose={onClose}
    />
  );
}

function DeleteClusterDialog({ cluster, onClose }: OfCluster) {
  const path = { clusterId: cluster.cluster_id };
  const { mutate, isPending, error } = useClusterChange(
    () => bodyOf(api.DELETE('/api/clusters/{clusterId}', { params: { path } })),
    onClose,
  );
  return (
    <ConfirmDialog
      opened
      title={`Delete ${cluster.name}?`}
      action="Delete cluster"
      pending={isPending}
      error={error}
      onConfirm={() => mutate(undefined)}
      onClose={onClose}
    >
      Keys that are limited to this cluster alone reach nothing afterwards.
    </ConfirmDialog>
  );
}
