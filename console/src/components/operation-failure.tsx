import { Button } from '@mantine/core';
import type { Operation } from '../api/operation-state';
import { useDismissOperation } from '../api/use-operations';
import { usePermission } from '../api/use-permission';
import { ErrorPanel } from './error-panel';
import classes from './operation-failure.module.css';
import { LogHelp } from './log-help';
import { failedWords, operationName } from './operation-words';
import { RetryOperation } from './retry-operation';
import { StateDot } from './state-dot';
import { TextWithCode } from './text-with-code';

interface OperationFailureProps {
  readonly operation: Operation;
  /** Where the words "Load failed" stand beside it already. */
  readonly withoutState?: boolean;
  /** Where the engine's words, and the way to its log, stand beside it already. */
  readonly withoutWords?: boolean;
  /** Where Retry stands beside it already. */
  readonly withoutRetry?: boolean;
}

/** A failed operation: what happened in the engine's own words, and what can be done about it. It stays until one of both is done. */
export function OperationFailure(props: OperationFailureProps) {
  const { operation, withoutState = false, withoutWords = false, withoutRetry = false } = props;
  const dismiss = useDismissOperation();
  const mayManage = usePermission('operations:write');
  const { id, failure, dismissed_at } = operation;
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
      {mayManage && dismissed_at === null && (
        <span className={classes.actions}>
          {!withoutRetry && <RetryOperation operation={operation} />}
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            loading={dismiss.isPending}
            onClick={() => dismiss.mutate(id)}
            aria-label={`Dismiss ${operationName(operation)}`}
          >
            Dismiss
          </Button>
        </span>
      )}
      {!withoutWords && <LogHelp operation={operation} />}
      {dismiss.error !== null && <ErrorPanel error={dismiss.error} />}
    </div>
  );
}
