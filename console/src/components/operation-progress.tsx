import { Button } from '@mantine/core';
import { subjectOf, type Operation } from '../api/operation-state';
import { useCancelOperation } from '../api/use-operations';
import { usePermission } from '../api/use-permission';
import { ProgressBar } from './meter';
import { doing as verbs } from './operation-words';
import { progressFacts, shareOf } from './progress-facts';
import classes from './operation-progress.module.css';

/** What an operation does, as one line: "Installing · 2.1 of 5.2 GB · 40% · 88 MB/s · 0:36 left", its bar, and Cancel. */
export function OperationProgress({ operation }: { readonly operation: Operation }) {
  const cancel = useCancelOperation();
  const mayManage = usePermission('operations:write');
  const { kind, state, phase } = operation;
  const doing = state === 'queued' ? 'Waits for its turn' : (phase ?? verbs[kind]);
  const facts = [
    operation.cancel_requested ? 'Cancelling' : doing,
    ...progressFacts(operation),
    ...(operation.node_online ? [] : ['computer offline']),
  ];
  const name = subjectOf(operation);
  return (
    <div className={classes.operation}>
      <span className={classes.facts}>{facts.join(' · ')}</span>
      {mayManage && (
        <Button
          size="compact-xs"
          variant="default"
          loading={cancel.isPending}
          disabled={operation.cancel_requested}
          onClick={() => cancel.mutate(operation.id)}
          aria-label={`Cancel ${verbs[kind].toLowerCase()} ${name}`}
        >
          Cancel
        </Button>
      )}
      <span className={classes.bar}>
        <ProgressBar share={shareOf(operation)} label={`${verbs[kind]} ${name}`} />
      </span>
    </div>
  );
}
