import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ErrorPanel } from './error-panel';

interface NameDialogProps {
  readonly title: string;
  /** Of the button. */
  readonly action: string;
  readonly label: string;
  readonly initial?: string;
  readonly pending: boolean;
  readonly error?: unknown;
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}

const LONGEST = 64;

/** Asks for a name. Mount it anew for another thing. */
export function NameDialog({ title, action, label, initial = '', pending, error, onName, onClose }: NameDialogProps) {
  const [name, setName] = useState(initial);
  const wanted = name.trim();
  const ready = wanted !== '' && wanted !== initial;
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !pending) onName(wanted);
        }}
      >
        <TextInput
          label={label}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={LONGEST}
          autoComplete="off"
          data-autofocus
        />
        {error !== undefined && error !== null && (
          <div style={{ marginTop: 16 }}>
            <ErrorPanel error={error} />
          </div>
        )}
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!ready} loading={pending}>
            {action}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
