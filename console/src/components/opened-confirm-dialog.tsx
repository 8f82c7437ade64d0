import { TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { FormDialog } from './form-dialog';

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** What happens, and to whom. */
  readonly children: ReactNode;
  /** The verb of the button: "Revoke key". */
  readonly action: string;
  /** Has to be typed before the button works: for what cannot be undone and others depend on. */
  readonly typed?: string;
  /** Not red: it can be undone. */
  readonly harmless?: boolean;
  readonly pending: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is done. Unmount it or change its `key` to forget what was typed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, children, action, typed, harmless = false, pending, error, onConfirm, onClose } = props;
  const [text, setText] = useState('');
  const ready = typed === undefined || text.trim() === typed;
  const close = () => {
    setText('');
    onClose();
  };
  return (
    <FormDialog
      opened={opened}
      title={title}
      action={action}
      grave={!harmless}
      ready={ready}
      pending={pending}
      error={error}
      onSubmit={onConfirm}
      onClose={close}
    >
      <div>{children}</div>
      {typed !== undefined && (
        <TextInput
          mt="md"
          label={`Type ${typed} to confirm`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
      )}
    </FormDialog>
  );
}
