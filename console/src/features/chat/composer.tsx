import { ActionIcon, Button, Textarea } from '@mantine/core';
import { useEffect, type KeyboardEvent, type RefObject } from 'react';
import { ArrowUpIcon } from '../../components/icons';
import classes from './composer.module.css';

interface ComposerProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly editing: boolean;
  readonly streaming: boolean;
  /** undefined: it can be sent. */
  readonly obstacle: string | undefined;
  readonly onType: (text: string) => void;
  readonly onSend: () => void;
  readonly onStop: () => void;
  readonly onEditLast: () => void;
  readonly onCancelEdit: () => void;
}

export function Composer(props: ComposerProps) {
  const { field, text, editing, streaming, obstacle, onType, onSend, onStop, onEditLast, onCancelEdit } = props;
  const ready = obstacle === undefined && !streaming && text.trim() !== '';

  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && streaming && !event.defaultPrevented) onStop();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [streaming, onStop]);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter also confirms what an input method proposes.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (ready) onSend();
    } else if (event.key === 'ArrowUp' && text === '') {
      event.preventDefault();
      onEditLast();
    } else if (event.key === 'Escape' && editing && !streaming) onCancelEdit();
  };

  return (
    <div className={classes.composer}>
      {editing && (
        <p className={classes.editing}>
          Editing: what follows the question is replaced.
          <Button variant="subtle" color="gray" size="compact-xs" onClick={onCancelEdit}>
            Cancel
          </Button>
        </p>
      )}
      <div className={classes.field}>
        <Textarea
          ref={field}
          aria-label="Message"
          placeholder="Message"
          value={text}
          onChange={(event) => onType(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          autosize
          minRows={1}
          maxRows={10}
          variant="unstyled"
          className={classes.input}
        />
        {streaming ? (
          <ActionIcon size={32} variant="default" aria-label="Stop" title="Stop (Esc)" onClick={onStop}>
            <span className={classes.stop} />
          </ActionIcon>
        ) : (
          <ActionIcon size={32} aria-label="Send" title="Send (Enter)" disabled={!ready} onClick={onSend}>
            <ArrowUpIcon />
          </ActionIcon>
        )}
      </div>
      <p className={classes.hint}>
        {obstacle ?? 'Enter to send · Shift+Enter for a new line · Esc to stop · ↑ to edit the last message'}
      </p>
    </div>
  );
}
