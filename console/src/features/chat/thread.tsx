import { useCallback } from 'react';
import { ChatResponse, Question } from './response';
import classes from './chat.module.css';
import type { Chat } from './use-chat';
import { useStickToBottom } from './use-stick-to-bottom';

interface ThreadProps {
  readonly chat: Pick<Chat, 'turns' | 'streaming'>;
  readonly onEdit: (id: string) => void;
  readonly onRegenerate: () => void;
}

export function Thread({ chat: { turns, streaming }, onEdit, onRegenerate }: ThreadProps) {
  const questions = turns.filter(({ role }) => role === 'user').length;
  useStickToBottom(turns, questions);
  const last = turns.at(-1)?.id;
  if (turns.length === 0) {
    return <p className={classes.welcome}>Nothing of a chat is stored on the relay; it ends with this tab.</p>;
  }
  return (
    <div className={classes.thread} role="log" aria-label="Conversation" aria-busy={streaming}>
      {turns.map((turn) =>
        turn.role === 'user' ? (
          <EditableQuestion key={turn.id} id={turn.id} text={turn.text} onEdit={streaming ? undefined : onEdit} />
        ) : (
          <ChatResponse
            key={turn.id}
            turn={turn}
            onRegenerate={turn.id === last && !streaming ? onRegenerate : undefined}
          />
        ),
      )}
    </div>
  );
}

interface EditableQuestionProps {
  readonly id: string;
  readonly text: string;
  readonly onEdit: ((id: string) => void) | undefined;
}

function EditableQuestion({ id, text, onEdit }: EditableQuestionProps) {
  const edit = useCallback(() => onEdit?.(id), [id, onEdit]);
  return <Question text={text} onEdit={onEdit && edit} />;
}
