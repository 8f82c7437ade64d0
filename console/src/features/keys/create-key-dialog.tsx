import { Button, Modal, MultiSelect, Select } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { Schemas } from '../../api/management-api.types';
import { ErrorPanel } from '../../components/error-panel';
import { accessChoices } from './access';
import classes from './keys.module.css';
import { LimitFields, noLimits } from './limit-fields';
import { NameFields } from './name-fields';
import { SecretBox } from './secret-box';
import { SecretDialog } from '../../components/secret-dialog';
import shared from '../../components/form.module.css';

interface CreateKeyDialogProps {
  readonly clusters: readonly Schemas['Cluster'][];
  readonly onClose: () => void;
}

const DAY_SECONDS = 86_400;
const lifetimes = [
  { value: '', label: 'Never' },
  { value: String(7 * DAY_SECONDS), label: 'In 7 days' },
  { value: String(30 * DAY_SECONDS), label: 'In 30 days' },
  { value: String(90 * DAY_SECONDS), label: 'In 90 days' },
  { value: String(365 * DAY_SECONDS), label: 'In a year' },
];

export function CreateKeyDialog({ clusters, onClose }: CreateKeyDialogProps) {
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: (body: Schemas['CreateKey']) => bodyOf(api.POST('/api/keys', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
    // The response has the secret: it is forgotten with the dialog.
    gcTime: 0,
  });
  if (create.data !== undefined) {
    const { name, key, warnings } = create.data;
    return (
      <SecretDialog title={`Key ${name}`} secret={key} kind="key" size="xl" onClose={onClose}>
        {(onCopied) => <SecretBox secret={key} warnings={warnings} onCopied={onCopied} />}
      </SecretDialog>
    );
  }
  return (
    <Modal opened onClose={onClose} title="Create a key" size="lg">
      <KeyForm
        clusters={clusters}
        pending={create.isPending}
        error={create.error}
        onCreate={create.mutate}
        onClose={onClose}
      />
    </Modal>
  );
}

interface KeyFormProps extends CreateKeyDialogProps {
  readonly pending: boolean;
  readonly error: unknown;
  readonly onCreate: (key: Schemas['CreateKey']) => void;
}

function KeyForm({ clusters, pending, error, onCreate, onClose }: KeyFormProps) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [scope, setScope] = useState<string | null>('inference');
  const [only, setOnly] = useState<readonly string[]>([]);
  const [lifetime, setLifetime] = useState<string | null>('');
  const [limits, setLimits] = useState(noLimits);
  const submit = () =>
    onCreate({
      name: name.trim(),
      scopes: [scope === 'models:read' ? 'models:read' : 'inference'],
      ...(description.trim() !== '' && { description: description.trim() }),
      ...(only.length > 0 && { cluster_ids: [...only] }),
      ...(lifetime !== null && lifetime !== '' && { expires_in_seconds: Number(lifetime) }),
      ...(Object.values(limits).some((limit) => limit !== null) && { limits }),
    });
  return (
    <form
      className={shared.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '' && !pending) submit();
      }}
    >
      <NameFields name={name} description={description} onName={setName} onDescription={setDescription} />
      <div className={classes.columns}>
        <Select label="Access" data={accessChoices} value={scope} onChange={setScope} />
        <Select label="Expires" data={lifetimes} value={lifetime} onChange={setLifetime} />
      </div>
      {clusters.length > 1 && (
        <MultiSelect
          label="Clusters"
          className={classes.clusters}
          placeholder={only.length === 0 ? 'All, including future clusters' : ''}
          data={clusters.map(({ cluster_id, name: title }) => ({ value: cluster_id, label: title }))}
          value={[...only]}
          onChange={setOnly}
        />
      )}
      <LimitFields limits={limits} onChange={setLimits} />
      {error !== null && error !== undefined && <ErrorPanel title="The key was not created" error={error} />}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={name.trim() === ''} loading={pending}>
          Create
        </Button>
      </div>
    </form>
  );
}
