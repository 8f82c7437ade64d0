import type { ReactNode } from 'react';
import type { Operation } from '../api/operation-state';
import { usePermission } from '../api/use-permission';
import { DismissOperation } from './dismiss-operation';
import classes from './operation-failure.module.css';
import { LogHelp } from './log-help';
import { RetryOperation } from './retry-operation';
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
  /** At the end of the line of its buttons. */
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
      <FailureLine operation={operation} withoutLog={withoutWords} withoutActions={withoutActions} />
      {children}
    </div>
  );
}

interface FailureLineProps {
  readonly operation: Operation;
  readonly withoutLog?: boolean;
  readonly withoutActions?: boolean;
}

/** All that can be done about it, in one line: Retry, Dismiss, and the way to the log. What can be done with its model stands elsewhere. */
export function FailureLine({ operation, withoutLog = false, withoutActions = false }: FailureLineProps) {
  const mayManage = usePermission('operations:write') && operation.dismissed_at === null && !withoutActions;
  return (
    <span className={classes.actions}>
      {mayManage && <RetryOperation operation={operation} />}
      {mayManage && <DismissOperation operation={operation} />}
      {!withoutLog && <LogHelp operation={operation} />}
    </span>
  );
}
