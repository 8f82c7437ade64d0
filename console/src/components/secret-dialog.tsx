import { Button, Group, Modal } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { CopyIcon } from './icons';
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

/** Below a long snippet it would be out of sight. */
const showWhole = (question: HTMLElement | null): void => question?.scrollIntoView({ block: 'nearest' });

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
        <div role="alert" className={classes.question} ref={showWhole}>
          <p>
            <strong>The {kind} was not copied.</strong> It is not shown again.
          </p>
          <div className={classes.answers}>
            <CopySecret secret={secret} kind={kind} onCopied={onCopied} />
            <Button variant="default" onClick={() => setAsks(false)} data-autofocus>
              Go back
            </Button>
            <Button color="red" onClick={onClose}>
              Close without copying
            </Button>
          </div>
        </div>
      ) : (
        <Group justify="flex-end" mt="lg">
          <Button onClick={onClose}>Done</Button>
        </Group>
      )}
    </Modal>
  );
}

interface CopySecretProps {
  readonly secret: string;
  readonly kind: string;
  readonly onCopied: () => void;
}

/** With a word: it is what most people want to do now. */
function CopySecret({ secret, kind, onCopied }: CopySecretProps) {
  const { copy, copied } = useClipboard();
  useEffect(() => {
    if (copied) onCopied();
  }, [copied, onCopied]);
  return (
    <Button leftSection={<CopyIcon size={14} />} onClick={() => copy(secret)}>
      Copy {kind}
    </Button>
  );
}
