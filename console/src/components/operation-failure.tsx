import { Button } from '@mantine/core';
import type { Operation } from '../api/operation-state';
import { useDismissOperation } from '../api/use-operations';
import { usePermission } from '../api/use-permission';
import { ErrorPanel } from './error-panel';
import classes from './operation-failure.module.css';
import { failedWords, operationName } from './operation-words';
import { RetryOperation } from './retry-operation';
import { StateDot } from './state-dot';

interface OperationFailureProps {
  readonly operation: Operation;
  /** Where the words "Load failed" stand beside it already. */
  readonly withoutState?: boolean;
}

/** A failed operation: what happened in the engine's own words, and what can be done about it. It stays until one of both is done. */
export function OperationFailure({ operation, withoutState = false }: OperationFailureProps) {
  const dismiss = useDismissOperation();
  const mayManage = usePermission('operations:write');
  const { id, failure, dismissed_at } = operation;
  return (
    <div className={classes.failure}>
      {!withoutState && <StateDot state="failed" label={failedWords(operation)} />}
      {failure !== null && (
        <p className={classes.words}>
          <bdi>{failure.message}</bdi> <code className={classes.code}>{failure.code}</code>
        </p>
      )}
      {mayManage && dismissed_at === null && (
        <span className={classes.actions}>
          <RetryOperation operation={operation} />
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
      {dismiss.error !== null && <ErrorPanel error={dismiss.error} />}
    </div>
  );
}
