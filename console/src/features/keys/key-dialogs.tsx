import { Select } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { Schemas } from '../../api/management-api.types';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { FormDialog } from '../../components/form-dialog';
import type { Key, KeyAction } from './key-columns';
import { HowToUse } from './how-to-use';
import { NameFields } from './name-fields';
import { LimitFields } from './limit-fields';
import { SecretBox } from './secret-box';
import { SecretDialog } from '../../components/secret-dialog';
import shared from '../../components/form.module.css';

interface OfKey {
  readonly apiKey: Key;
  readonly onClose: () => void;
}

function useKeyChange<Input, Output>(change: (input: Input) => Promise<Output>, onDone?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    async onSuccess() {
      onDone?.();
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
    gcTime: 0,
  });
}

export function KeyDialog({ action, ...props }: OfKey & { readonly action: KeyAction }) {
  switch (action) {
    case 'roll':
      return <RollKeyDialog {...props} />;
    case 'revoke':
      return <RevokeKeyDialog {...props} />;
    case 'use':
      return <HowToUse {...props} />;
    case 'edit':
      return <EditKeyDialog {...props} />;
  }
}

const paramsOf = ({ key_id }: Key) => ({ path: { idOrName: key_id } });

function RevokeKeyDialog({ apiKey, onClose }: OfKey) {
  const { mutate, isPending, error } = useKeyChange(
    () => bodyOf(api.DELETE('/api/keys/{idOrName}', { params: paramsOf(apiKey) })),
    onClose,
  );
  return (
    <ConfirmDialog
      opened
      title={`Revoke ${apiKey.name}?`}
      action="Revoke key"
      pending={isPending}
      error={error}
      onConfirm={() => mutate(undefined)}
      onClose={onClose}
    >
      Programs that use it are refused immediately (401), and requests that run with it end within seconds. This cannot
      be undone.
    </ConfirmDialog>
  );
}

type Overlap = Schemas['RollKey']['overlap'];
const overlaps = [
  { value: '0', label: 'immediately' },
  { value: '1h', label: 'in an hour' },
  { value: '24h', label: 'in 24 hours' },
  { value: '7d', label: 'in 7 days' },
] as const;

function RollKeyDialog({ apiKey, onClose }: OfKey) {
  const [overlap, setOverlap] = useState<string | null>('24h');
  const { mutate, isPending, error, data } = useKeyChange((chosen: Overlap) =>
    bodyOf(api.POST('/api/keys/{idOrName}/roll', { params: paramsOf(apiKey), body: { overlap: chosen } })),
  );
  if (data !== undefined) {
    return (
      <SecretDialog title={`New key ${data.name}`} secret={data.key} kind="key" size="xl" onClose={onClose}>
        {(onCopied) => <SecretBox secret={data.key} warnings={data.warnings} onCopied={onCopied} />}
      </SecretDialog>
    );
  }
  return (
    <ConfirmDialog
      opened
      harmless
      title={`Roll ${apiKey.name}`}
      action="Make the new key"
      pending={isPending}
      error={error}
      onConfirm={() => mutate((overlap ?? '24h') as Overlap)}
      onClose={onClose}
    >
      <p>A new key with the same name, access and limits takes its place.</p>
      <Select label="The old key stops working" data={overlaps} value={overlap} onChange={setOverlap} />
    </ConfirmDialog>
  );
}

function EditKeyDialog({ apiKey, onClose }: OfKey) {
  const [name, setName] = useState(apiKey.name);
  const [description, setDescription] = useState(apiKey.description ?? '');
  const [limits, setLimits] = useState(apiKey.limits);
  const { mutate, isPending, error } = useKeyChange(
    (body: Schemas['ChangeKey']) => bodyOf(api.PATCH('/api/keys/{idOrName}', { params: paramsOf(apiKey), body })),
    onClose,
  );
  return (
    <FormDialog
      title={`Change ${apiKey.name}`}
      action="Save"
      ready={name.trim() !== ''}
      pending={isPending}
      error={error}
      onSubmit={() =>
        mutate({
          ...(name.trim() !== apiKey.name && { name: name.trim() }),
          description: description.trim() === '' ? null : description.trim(),
          limits,
        })
      }
      onClose={onClose}
    >
      <div className={shared.form}>
        <NameFields name={name} description={description} onName={setName} onDescription={setDescription} />
        <LimitFields limits={limits} onChange={setLimits} />
      </div>
    </FormDialog>
  );
}
