import { memo, useCallback, type ReactNode } from 'react';
import { ChatResponse, Question } from './response';
import classes from './thread.module.css';
import type { ShownChat } from './chat-session';
import { exchangesOf, type Exchange, type Lane } from './conversation';
import { useStickToBottom } from './use-stick-to-bottom';

interface ThreadProps {
  readonly chat: Pick<ShownChat, 'id' | 'turns' | 'streaming'>;
  /** The same functions for all renders. */
  readonly onEdit: (id: string) => void;
  readonly onRegenerate: (lane: Lane) => void;
  /** Of a chat without a question. */
  readonly welcome: ReactNode;
}

/** Scrolls by itself: the head of the page and the field below stay where they are. */
export function Thread({ chat, onEdit, onRegenerate, welcome }: ThreadProps) {
  const { id, turns, streaming } = chat;
  const exchanges = exchangesOf(turns);
  const scrolled = useStickToBottom(turns, `${id} ${exchanges.length}`);
  return (
    <div ref={scrolled} className={classes.scrolled} tabIndex={0} role="group" aria-label="Answers">
      {exchanges.length === 0 ? (
        welcome
      ) : (
        <div className={classes.thread} role="log" aria-label="Conversation" aria-busy={streaming}>
          {exchanges.map((exchange, index) => (
            <ChatExchange
              key={exchange.question.id}
              exchange={exchange}
              onEdit={streaming ? undefined : onEdit}
              onRegenerate={index === exchanges.length - 1 && !streaming ? onRegenerate : undefined}
            />
          ))}
        </div>
      )}
    </div>
  );
}

interface ChatExchangeProps {
  readonly exchange: Exchange;
  readonly onEdit: ((id: string) => void) | undefined;
  /** Only answers to the last question can be asked for again. */
  readonly onRegenerate: ((lane: Lane) => void) | undefined;
}

function isSameExchange(one: ChatExchangeProps, other: ChatExchangeProps): boolean {
  const { question, responses } = one.exchange;
  return (
    one.onEdit === other.onEdit &&
    one.onRegenerate === other.onRegenerate &&
    question === other.exchange.question &&
    responses.length === other.exchange.responses.length &&
    responses.every((response, index) => response === other.exchange.responses[index])
  );
}

const ChatExchange = memo(function ChatExchange({ exchange, onEdit, onRegenerate }: ChatExchangeProps) {
  const { question, responses } = exchange;
  const edit = useCallback(() => onEdit?.(question.id), [question.id, onEdit]);
  return (
    <>
      <Question text={question.text} onEdit={onEdit && edit} />
      <div className={classes.answers} data-beside={responses.length > 1 || undefined}>
        {responses.map((turn) => (
          <ChatResponse key={turn.id} turn={turn} named={responses.length > 1} onRegenerate={onRegenerate} />
        ))}
      </div>
    </>
  );
}, isSameExchange);
