import { Modal } from '@mantine/core';
import { useState } from 'react';
import { Choice } from '../../components/choice';
import { SnippetTabs } from '../../components/snippet-tabs';
import classes from './code-dialog.module.css';
import type { ShownChat } from './chat-session';
import { chatSnippets } from './chat-snippets';
import { requestFor, upToLastQuestion, type Lane } from './conversation';

interface CodeDialogProps {
  readonly chat: ShownChat;
  readonly model: string;
  /** Answers beside the first one; undefined: one model answers. */
  readonly second: string | undefined;
  readonly onClose: () => void;
}

/** The request that asked the last question, as programs would send it. */
export function CodeDialog({ chat: { turns, settings }, model, second, onClose }: CodeDialogProps) {
  const [chosen, setChosen] = useState<Lane>('first');
  const lane = second === undefined ? 'first' : chosen;
  const name = lane === 'second' && second !== undefined ? second : model;
  const asked = turns.length > 0 ? upToLastQuestion(turns) : [{ role: 'user' as const, id: 'example', text: 'Hello!' }];
  return (
    <Modal opened onClose={onClose} title="This chat as code" size="xl">
      {second === undefined ? (
        <p className={classes.about}>
          For <bdi>{name}</bdi>
        </p>
      ) : (
        <div className={classes.about}>
          <Choice
            label="Model"
            data={[
              { value: 'first', label: model },
              { value: 'second', label: second },
            ]}
            value={lane}
            onChange={setChosen}
          />
        </div>
      )}
      <SnippetTabs
        label="Client"
        snippets={chatSnippets(globalThis.location.origin, requestFor(name, asked, settings, lane))}
      />
    </Modal>
  );
}
