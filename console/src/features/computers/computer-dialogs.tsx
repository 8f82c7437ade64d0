import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { clustersQuery } from '../../api/queries';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { NameDialog } from '../../components/name-dialog';
import type { Node } from '../../components/node-facts';
import { paramsOf, useNodeChange } from './use-node-change';

interface OfComputer {
  readonly node: Node;
  readonly onClose: () => void;
}

const dialogs = {
  rename: RenameComputerDialog,
  move: MoveComputerDialog,
  revoke: RevokeComputerDialog,
  confirm: ConfirmComputerDialog,
};

export type ComputerChange = keyof typeof dialogs;

/** What is asked before something is done with a computer. */
export default function ComputerDialog({ change, ...props }: OfComputer & { readonly change: ComputerChange }) {
  const Dialog = dialogs[change];
  return <Dialog {...props} />;
}

function RenameComputerDialog({ node, onClose }: OfComputer) {
  const { mutate, isPending, error } = useNodeChange(
    (name: string) => bodyOf(api.PATCH('/api/nodes/{nodeId}', { params: paramsOf(node), body: { name } })),
    onClose,
  );
  return (
    <NameDialog
      title={`Rename ${node.name}`}
      action="Rename"
      label="Name"
      initial={node.name}
      pending={isPending}
      error={error}
      onName={mutate}
      onClose={onClose}
    />
  );
}

function MoveComputerDialog({ node, onClose }: OfComputer) {
  const { data: clusters = [] } = useQuery(clustersQuery);
  const [cluster, setCluster] = useState<string | null>(node.cluster_id);
  const { mutate, isPending, error } = useNodeChange(
    (cluster_id: string) => bodyOf(api.PATCH('/api/nodes/{nodeId}', { params: paramsOf(node), body: { cluster_id } })),
    onClose,
  );
  return (
    <ConfirmDialog
      opened
      harmless
      title={`Move ${node.name}`}
      action="Move"
      ready={cluster !== node.cluster_id}
      pending={isPending}
      error={error}
      onConfirm={() => cluster !== null && mutate(cluster)}
      onClose={onClose}
    >
      <Select
        label="Cluster"
        description="What runs goes on. Keys that are limited to its old cluster no longer reach it."
        data={clusters.map(({ cluster_id, name }) => ({ value: cluster_id, label: name }))}
        value={cluster}
        onChange={setCluster}
      />
    </ConfirmDialog>
  );
}

function RevokeComputerDialog({ node, onClose }: OfComputer) {
  const navigate = useNavigate();
  const { mutate, isPending, error } = useNodeChange(
    () => bodyOf(api.DELETE('/api/nodes/{nodeId}', { params: paramsOf(node) })),
    () => void navigate({ to: '/computers' }),
  );
  return (
    <ConfirmDialog
      opened
      title={`Revoke ${node.name}?`}
      action="Revoke computer"
      typed={node.name}
      pending={isPending}
      error={error}
      onConfirm={() => mutate(undefined)}
      onClose={onClose}
    >
      It is cut off at once, running requests on it end, and it is never let in again. To come back it joins anew with
      another token.
    </ConfirmDialog>
  );
}

function ConfirmComputerDialog({ node, onClose }: OfComputer) {
  const { mutate, isPending, error } = useNodeChange(
    () =>
      bodyOf(
        api.POST('/api/nodes/{nodeId}/confirm', { params: paramsOf(node), body: { fingerprint: node.fingerprint } }),
      ),
    onClose,
  );
  return (
    <ConfirmDialog
      opened
      harmless
      title={`Let ${node.name} in?`}
      action="The words are the same"
      pending={isPending}
      error={error}
      onConfirm={() => mutate(undefined)}
      onClose={onClose}
    >
      Compare these words with those on its own screen. It gets prompts once it is let in.
      <p>
        <strong>{node.fingerprint}</strong>
      </p>
    </ConfirmDialog>
  );
}
