import { useCallback, useRef, useState } from 'react';
import classes from './chat.module.css';
import type { ChatSession, ShownChat } from './chat-session';
import { keepsHistory } from './chat-storage';
import { Composer } from './composer';
import type { Lane } from './conversation';
import { LoadOffer } from './load-offer';
import type { ModelChoice } from './model-choice';
import { ModelPickers } from './model-pickers';
import { Thread } from './thread';
import { Welcome } from './welcome';

interface ChatBodyProps {
  readonly session: ChatSession;
  readonly chat: ShownChat;
  readonly choices: readonly ModelChoice[];
  readonly choice: ModelChoice | undefined;
  /** Answers beside the first one; undefined: one model answers. */
  readonly second: ModelChoice | undefined;
  readonly cluster: string | undefined;
}

export function ChatBody({ session, chat, choices, choice, second, cluster }: ChatBodyProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const [edited, setEdited] = useState<string>();
  const edit = useCallback(
    (id: string) => {
      const { turns, streaming } = session.current();
      const turn = turns.find((one) => one.id === id);
      if (turn === undefined || streaming) return;
      setEdited(id);
      setText(turn.text);
      field.current?.focus();
    },
    [session],
  );
  const asked = [choice, second].filter((one) => one !== undefined);
  const firstId = choice?.loaded ? choice.id : undefined;
  const secondId = second?.loaded ? second.id : undefined;
  const regenerate = useCallback(
    (lane: Lane) => {
      const model = lane === 'first' ? firstId : (secondId ?? firstId);
      if (model !== undefined) session.regenerate(lane, model, cluster);
    },
    [session, firstId, secondId, cluster],
  );
  const suggest = (question: string) => {
    setText(question);
    field.current?.focus();
  };
  const send = () => {
    if (choice === undefined) return;
    session.send({
      text: text.trim(),
      models: second === undefined ? [choice.id] : [choice.id, second.id],
      cluster,
      edited,
    });
    setText('');
    setEdited(undefined);
  };
  const lastQuestion = chat.turns.findLast(({ role }) => role === 'user')?.id;
  return (
    <div className={classes.column} data-beside={second !== undefined || undefined}>
      <Thread
        chat={chat}
        onEdit={edit}
        onRegenerate={regenerate}
        welcome={
          <Welcome
            models={asked}
            cluster={cluster}
            keepsHistory={keepsHistory(session.owner)}
            onSuggest={suggest}
            onUndoNew={chat.closed === null ? undefined : session.undoNew}
          />
        }
      />
      <div className={classes.dock}>
        {asked
          .filter(({ loaded }) => !loaded)
          .map((model) => (
            <LoadOffer key={model.id} model={model} cluster={cluster} />
          ))}
        <Composer
          field={field}
          text={text}
          editing={edited !== undefined}
          streaming={chat.streaming}
          obstacle={obstacleOf(asked)}
          onType={setText}
          onSend={send}
          onStop={session.stop}
          onEditLast={() => lastQuestion !== undefined && edit(lastQuestion)}
          onCancelEdit={() => {
            setEdited(undefined);
            setText('');
          }}
        />
        <ModelPickers session={session} choices={choices} choice={choice} second={second} cluster={cluster} />
      </div>
    </div>
  );
}

/** undefined: a question can be sent. */
function obstacleOf(asked: readonly ModelChoice[]): string | undefined {
  if (asked.length === 0) return 'There is no model to send it to.';
  const missing = asked.filter(({ loaded }) => !loaded).map(({ id }) => id);
  if (missing.length === 0) return undefined;
  return `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not loaded.`;
}
