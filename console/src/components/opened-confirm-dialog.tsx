import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ConfirmDialogProps } from './confirm-dialog';
import { FormDialog } from './form-dialog';

export default function OpenedConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, children, action, typed, harmless = false, pending, error, onConfirm, onClose } = props;
  const { ready: chosen = true } = props;
  const [text, setText] = useState('');
  const ready = chosen && (typed === undefined || text.trim() === typed);
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
