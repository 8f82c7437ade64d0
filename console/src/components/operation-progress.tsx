import { Button } from '@mantine/core';
import { subjectOf, type Operation } from '../api/operation-state';
import { useCancelOperation } from '../api/use-operations';
import { usePermission } from '../api/use-permission';
import { bytes, bytesPerSecond, clock, percent } from './format';
import { ProgressBar } from './meter';
import { doing as verbs } from './operation-words';
import classes from './operation-progress.module.css';

/** What an operation does, as one line: "Installing · 2.1 of 5.2 GB · 40% · 88 MB/s · 0:36 left", its bar, and Cancel. */
export function OperationProgress({ operation }: { readonly operation: Operation }) {
  const cancel = useCancelOperation();
  const mayManage = usePermission('operations:write');
  const { kind, state, phase, completed_bytes: done, total_bytes: total, bytes_per_second: speed } = operation;
  const share = done !== null && total ? done / total : null;
  const left = total && done !== null && speed ? (total - done) / speed : null;
  const doing = state === 'queued' ? 'Waits for its turn' : (phase ?? verbs[kind]);
  const facts = [
    operation.cancel_requested ? 'Cancelling' : doing,
    ...(share === null ? [] : [`${bytes(done)} of ${bytes(total)}`, percent(share)]),
    ...(speed === null ? [] : [bytesPerSecond(speed)]),
    ...(left === null ? [] : [`${clock(left)} left`]),
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
        <ProgressBar share={share} label={`${verbs[kind]} ${name}`} />
      </span>
    </div>
  );
}
