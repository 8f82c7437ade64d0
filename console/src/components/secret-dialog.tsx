import { Button, Group, Modal } from '@mantine/core';
import { useCallback, useState, type ReactNode } from 'react';
import { CopyButton } from './copy-id';
import classes from './secret-dialog.module.css';

interface SecretDialogProps {
  readonly title: string;
  /** It is in no cache and in no URL: with the dialog it is gone. */
  readonly secret: string;
  /** What it is: "key". */
  readonly kind: string;
  readonly size?: 'xl';
  /** @param onCopied for the buttons that copy it, alone or in a snippet */
  readonly children: (onCopied: () => void) => ReactNode;
  readonly onClose: () => void;
}

/** Shows a secret this once. Esc, the close button and a click outside ask first, as long as it was not copied. */
export function SecretDialog({ title, secret, kind, size, children, onClose }: SecretDialogProps) {
  const [isCopied, setCopied] = useState(false);
  const [asks, setAsks] = useState(false);
  const onCopied = useCallback(() => {
    setCopied(true);
    setAsks(false);
  }, []);
  return (
    <Modal
      opened
      onClose={() => (isCopied ? onClose() : setAsks(true))}
      title={title}
      {...(size !== undefined && { size })}
    >
      {/* Selecting it and copying with the keyboard counts, too: without https browsers allow no button to copy. */}
      <div onCopy={() => globalThis.getSelection()?.toString().includes(secret) && onCopied()}>
        {children(onCopied)}
      </div>
      {asks ? (
        <div role="alert" className={classes.question}>
          <p>
            <strong>The {kind} was not copied.</strong> It is not shown again.
          </p>
          <Group gap="xs">
            <CopyButton text={secret} label={kind} onCopied={onCopied} />
            <Button variant="default" onClick={() => setAsks(false)} data-autofocus>
              Go back
            </Button>
            <Button color="red" onClick={onClose}>
              Close without copying
            </Button>
          </Group>
        </div>
      ) : (
        <Group justify="flex-end" mt="lg">
          <Button onClick={onClose}>Done</Button>
        </Group>
      )}
    </Modal>
  );
}
