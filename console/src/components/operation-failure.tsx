import type { ReactNode } from 'react';
import type { Operation } from '../api/operation-state';
import { FailureActions } from './failure-actions';
import classes from './operation-failure.module.css';
import { LogHelp } from './log-help';
import { failedWords } from './operation-words';
import { StateDot } from './state-dot';
import { TextWithCode } from './text-with-code';

interface OperationFailureProps {
  readonly operation: Operation;
  /** Where the words "Load failed" stand beside it already. */
  readonly withoutState?: boolean;
  /** Where the engine's words, and the way to its log, stand beside it already. */
  readonly withoutWords?: boolean;
  /** Where Retry and Dismiss stand beside it already. */
  readonly withoutActions?: boolean;
  /** In the line of its buttons. */
  readonly children?: ReactNode;
}

/** A failed operation: what happened in the engine's own words, and what can be done about it. It stays until one of both is done. */
export function OperationFailure(props: OperationFailureProps) {
  const { operation, withoutState = false, withoutWords = false, withoutActions = false, children } = props;
  const { failure } = operation;
  return (
    <div className={classes.failure}>
      {!withoutState && <StateDot state="failed" label={failedWords(operation)} />}
      {failure !== null && !withoutWords && (
        <p className={classes.words} title={failure.code}>
          <bdi>
            <TextWithCode text={failure.message} />
          </bdi>
        </p>
      )}
      {!withoutActions && (
        <span className={classes.actions}>
          <FailureActions operation={operation} />
        </span>
      )}
      {!withoutWords && <LogHelp operation={operation} />}
      {children}
    </div>
  );
}
