import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorPanel } from './error-panel';

interface FormDialogProps {
  readonly opened?: boolean;
  readonly title: string;
  readonly children: ReactNode;
  /** The verb of the button: "Revoke key". */
  readonly action: string;
  /** Red: it cannot be undone, or will probably fail. */
  readonly grave?: boolean;
  /** What was typed is enough. */
  readonly ready: boolean;
  readonly pending: boolean;
  readonly error?: unknown;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

const FIELD = 'input:not([type=hidden]), textarea, select';

/**
 * Mantine focuses what has this attribute, or else the button that closes the dialog. Without a field it is a button below, never one that
 * cannot be undone.
 */
function setFocus(form: HTMLFormElement | null, grave: boolean): void {
  const first = form?.querySelector(FIELD) ?? form?.querySelector(grave ? '[data-cancel]' : '[type=submit]');
  first?.setAttribute('data-autofocus', '');
}

/** A dialog that asks for something and does it. */
export function FormDialog(props: FormDialogProps) {
  const { opened = true, title, children, action, grave = false, ready, pending, error, onSubmit, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <form
        ref={(form) => setFocus(form, grave)}
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !pending) onSubmit();
        }}
      >
        {children}
        {error !== undefined && error !== null && (
          <div style={{ marginTop: 16 }}>
            <ErrorPanel error={error} />
          </div>
        )}
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={onClose} data-cancel>
            Cancel
          </Button>
          <Button type="submit" disabled={!ready} loading={pending} {...(grave && { color: 'red' })}>
            {action}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
