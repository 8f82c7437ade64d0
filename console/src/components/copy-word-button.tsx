import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useEffect } from 'react';
import classes from './copy-word-button.module.css';
import { CheckIcon, CopyIcon } from './icons';

interface CopyWordButtonProps {
  readonly text: string;
  /** What is copied, for the name of the button: "Copy command". */
  readonly label: string;
  readonly onCopied?: (() => void) | undefined;
  /** A dialog begins with it. */
  readonly first?: boolean;
}

const SAID_MS = 2_000;

/** For what is there to be copied; ids and other values beside text have the icon alone (`CopyButton`). */
export function CopyWordButton({ text, label, onCopied, first = false }: CopyWordButtonProps) {
  const { copy, copied } = useClipboard({ timeout: SAID_MS });
  useEffect(() => {
    if (copied) onCopied?.();
  }, [copied, onCopied]);
  return (
    <>
      <Button
        className={classes.button}
        size="compact-xs"
        variant="default"
        leftSection={copied ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
        aria-label={copied ? 'Copied' : `Copy ${label}`}
        data-autofocus={first || undefined}
        onClick={() => copy(text)}
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
      {/* Always there: what is announced is a change of it, not its arrival. */}
      <span className={classes.said} aria-live="polite">
        {copied && 'Copied'}
      </span>
    </>
  );
}
