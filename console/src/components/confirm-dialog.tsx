import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ErrorPanel } from './error-panel';

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
    <Modal opened={opened} onClose={close} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !pending) onConfirm();
        }}
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
        {error !== undefined && error !== null && (
          <div style={{ marginTop: 16 }}>
            <ErrorPanel error={error} />
          </div>
        )}
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={!ready} loading={pending} {...(!harmless && { color: 'red' })}>
            {action}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
