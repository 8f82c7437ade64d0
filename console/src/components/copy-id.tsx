import { ActionIcon } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useEffect } from 'react';
import { CheckIcon, CopyIcon } from './icons';
import classes from './copy-id.module.css';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for the name of the button: "Copy request id". */
  readonly label: string;
  readonly onCopied?: (() => void) | undefined;
  /** A dialog begins with it. */
  readonly first?: boolean;
}

export function CopyButton({ text, label, onCopied, first = false }: CopyButtonProps) {
  const { copy, copied } = useClipboard({ timeout: 1_500 });
  useEffect(() => {
    if (copied) onCopied?.();
  }, [copied, onCopied]);
  const name = copied ? 'Copied' : `Copy ${label}`;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      className={classes.button}
      aria-label={name}
      title={name}
      data-autofocus={first || undefined}
      onClick={(event) => {
        event.stopPropagation();
        copy(text);
      }}
    >
      {copied ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
    </ActionIcon>
  );
}

interface CopyIdProps {
  readonly id: string;
  /** What the id is of. */
  readonly label?: string;
  /** Shows the whole id, in several lines where it has no room in one, instead of its two ends. */
  readonly whole?: boolean;
}

const SHORT = 18;

/** An id or an address in monospace, cut in the middle, with a button that copies all of it. */
export function CopyId({ id, label = 'id', whole = false }: CopyIdProps) {
  const text = whole || id.length <= SHORT ? id : `${id.slice(0, 11)}…${id.slice(-4)}`;
  return (
    <span className={classes.id} data-whole={whole || undefined}>
      <code title={id}>{text}</code>
      <CopyButton text={id} label={label} />
    </span>
  );
}
