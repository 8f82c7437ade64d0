import { ActionIcon, Button, Skeleton } from '@mantine/core';
import { lazy, memo, Suspense, useDeferredValue } from 'react';
import { CopyButton } from '../../components/copy-id';
import { CutText } from '../../components/cut-text';
import { EditIcon, RefreshIcon } from '../../components/icons';
import { StateDot } from '../../components/state-dot';
import { PlainProblem } from './plain-problem';
import { ResponseFacts } from './response-facts';
import classes from './response.module.css';
import type { Lane, ResponseTurn } from './conversation';

/** Few chats have one. */
const ResponseProblem = lazy(() => import('./response-problem').catch(() => ({ default: PlainProblem })));
const ChatMarkdown = lazy(() => import('./chat-markdown'));

interface ResponseProps {
  readonly turn: ResponseTurn;
  /** Its model stands above it, as another model answers beside it. */
  readonly named: boolean;
  readonly onRegenerate: ((lane: Lane) => void) | undefined;
}

export const ChatResponse = memo(function ChatResponse({ turn, named, onRegenerate }: ResponseProps) {
  const { text, reasoning, state, problem, lane } = turn;
  const shown = useDeferredValue(text);
  const retry = onRegenerate && (() => onRegenerate(lane));
  const isWaiting = state === 'streaming' && text === '' && reasoning === '';
  return (
    <article className={classes.answer} aria-label={`Answer of ${turn.model}`} aria-busy={state === 'streaming'}>
      {named && (
        <h2 className={classes.answerOf}>
          <CutText text={turn.model} />
        </h2>
      )}
      {isWaiting && (
        <div role="status" aria-label="Waiting for the first token">
          <Skeleton height={12} my={4} width="40%" />
        </div>
      )}
      {reasoning !== '' && (
        // Opened and closed by the reader alone: the text below must not jump when it begins.
        <details className={classes.reasoning}>
          <summary>{text === '' && state === 'streaming' ? 'Reasoning…' : 'Reasoning'}</summary>
          <p>{reasoning}</p>
        </details>
      )}
      {text !== '' && (
        <Suspense fallback={<p className={classes.plain}>{text}</p>}>
          <ChatMarkdown text={state === 'streaming' ? shown : text} />
        </Suspense>
      )}
      {problem !== null && (
        <Suspense fallback={<Skeleton height={134} role="status" aria-label="Loading" />}>
          <ResponseProblem problem={problem} turn={turn} onRetry={retry} />
        </Suspense>
      )}
      <div className={classes.foot}>
        {state === 'streaming' ? (
          <span className={classes.facts}>
            <StateDot state="working" label={isWaiting ? 'waiting' : 'answering'} />
            {!named && ` · ${turn.model}`}
          </span>
        ) : (
          <>
            <ResponseFacts turn={turn} named={named} />
            <span className={classes.actions}>
              {text !== '' && <CopyButton text={text} label="answer" />}
              {onRegenerate && problem === null && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label="Regenerate"
                  title="Regenerate"
                  onClick={() => onRegenerate(lane)}
                >
                  <RefreshIcon size={14} />
                </ActionIcon>
              )}
            </span>
          </>
        )}
      </div>
    </article>
  );
});

interface QuestionProps {
  readonly text: string;
  readonly onEdit: (() => void) | undefined;
}

export const Question = memo(function Question({ text, onEdit }: QuestionProps) {
  return (
    <article className={classes.question} aria-label="Question">
      <p className={classes.bubble}>{text}</p>
      {onEdit && (
        <span className={classes.edit}>
          <Button variant="subtle" color="gray" size="compact-xs" leftSection={<EditIcon size={14} />} onClick={onEdit}>
            Edit
          </Button>
        </span>
      )}
    </article>
  );
});
