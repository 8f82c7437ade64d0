import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from './form-dialog';

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
  return (
    <FormDialog
      title={title}
      action={action}
      ready={wanted !== '' && wanted !== initial}
      pending={pending}
      error={error}
      onSubmit={() => onName(wanted)}
      onClose={onClose}
    >
      <TextInput
        label={label}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={LONGEST}
        autoComplete="off"
        data-autofocus
      />
    </FormDialog>
  );
}
