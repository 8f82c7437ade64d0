/** Everything that computers do to models, in one place: what runs, what has failed and waits for somebody, and what is done. */
import { Button, Drawer, FocusTrap } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FAILURE_DAYS, isLive, needsAttention, subjectOf, type Operation } from '../api/operation-state';
import { failedOperationsQuery, operationsQuery } from '../api/queries';
import { useDismissOperation } from '../api/use-operations';
import { usePermission } from '../api/use-permission';
import { ErrorPanel } from '../components/error-panel';
import { ModelLink } from '../components/model-link';
import { OperationFailure } from '../components/operation-failure';
import { OperationProgress } from '../components/operation-progress';
import { stateWords } from '../components/operation-words';
import { RelativeTime } from '../components/relative-time';
import { StateDot, type State } from '../components/state-dot';
import { TableSkeleton } from '../components/table-skeleton';
import { TextWithCode } from '../components/text-with-code';
import classes from './operations-panel.module.css';

const MOST_DONE = 50;
const WEEK_MS = FAILURE_DAYS * 86_400_000;

interface OperationsPanelProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export default function OperationsPanel({ opened, onClose }: OperationsPanelProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size="md"
      title="Operations"
      closeButtonProps={{ 'aria-label': 'Close operations' }}
    >
      <FocusTrap.InitialFocus />
      <Operations onLeave={onClose} />
    </Drawer>
  );
}

function Operations({ onLeave }: { readonly onLeave: () => void }) {
  const { data: newest, error, refetch } = useQuery(operationsQuery);
  const { data: failures = [] } = useQuery(failedOperationsQuery);
  if (newest === undefined) {
    return error === null ? (
      <TableSkeleton rows={3} />
    ) : (
      <ErrorPanel title="Operations could not be loaded" error={error} onRetry={() => void refetch()} />
    );
  }
  const running = newest.filter(isLive);
  const failed = merged(newest, failures).filter((operation) => needsAttention(operation));
  const over = newest
    .filter((operation) => !isLive(operation) && !needsAttention(operation) && isRecent(operation))
    .slice(0, MOST_DONE);
  if (running.length + failed.length + over.length === 0) {
    return <p className={classes.none}>Nothing was installed, loaded, unloaded or removed within a week.</p>;
  }
  return (
    <>
      <Section title="In progress" operations={running} onLeave={onLeave} />
      <Section title="Failed" operations={failed} onLeave={onLeave} action={<DismissAll failed={failed} />} />
      <Section title="Done" operations={over.filter((operation) => !isLaidAside(operation))} onLeave={onLeave} />
      <Section title="Dismissed or retried" operations={over.filter(isLaidAside)} onLeave={onLeave} />
    </>
  );
}

/** The newest list has the newer state of each. */
function merged(newest: readonly Operation[], failures: readonly Operation[]): readonly Operation[] {
  const known = new Set(newest.map(({ id }) => id));
  return [...newest, ...failures.filter(({ id }) => !known.has(id))];
}

/** Failed, and somebody has seen to it: dismissed, or tried again. */
const isLaidAside = ({ state }: Operation): boolean => state === 'failed';

const isRecent = ({ created_at }: Operation): boolean => Date.now() - Date.parse(created_at) < WEEK_MS;

interface SectionProps {
  readonly title: string;
  readonly operations: readonly Operation[];
  readonly onLeave: () => void;
  readonly action?: ReactNode;
}

function Section({ title, operations, onLeave, action }: SectionProps) {
  if (operations.length === 0) return null;
  const id = `operations-${title.toLowerCase().replaceAll(' ', '-')}`;
  return (
    <section aria-labelledby={id} className={classes.section}>
      <div className={classes.head}>
        <h3 id={id}>{title}</h3>
        {action}
      </div>
      <ul className={classes.list}>
        {operations.map((operation) => (
          <li key={operation.id}>
            <Entry operation={operation} onLeave={onLeave} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function DismissAll({ failed }: { readonly failed: readonly Operation[] }) {
  const dismiss = useDismissOperation();
  const mayManage = usePermission('operations:write');
  if (!mayManage || failed.length < 2) return null;
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      color="gray"
      onClick={() => {
        for (const { id } of failed) dismiss.mutate(id);
      }}
    >
      Dismiss all
    </Button>
  );
}

const states: Readonly<Record<Operation['state'], State>> = {
  queued: 'working',
  running: 'working',
  succeeded: 'serving',
  failed: 'failed',
  cancelled: 'off',
};

function Entry({ operation, onLeave }: { readonly operation: Operation; readonly onLeave: () => void }) {
  const { node_id, node_name, state, created_at, finished_at, failure } = operation;
  const subject = subjectOf(operation);
  const isFailure = needsAttention(operation);
  return (
    <div className={classes.entry}>
      <div className={classes.what}>
        <ModelLink operation={operation} onClick={onLeave} className={classes.model}>
          <bdi>{subject}</bdi>
        </ModelLink>
        <span className={classes.when}>
          <RelativeTime at={finished_at ?? created_at} />
        </span>
      </div>
      <div className={classes.where}>
        {!isLive(operation) && (
          <StateDot state={isFailure || state !== 'failed' ? states[state] : 'off'} label={stateWords(operation)} />
        )}
        <span>
          on{' '}
          <Link to="/computers/$nodeId" params={{ nodeId: node_id }} onClick={onLeave}>
            {node_name}
          </Link>
        </span>
      </div>
      {isLive(operation) && <OperationProgress operation={operation} />}
      {isFailure && <OperationFailure operation={operation} withoutState />}
      {failure !== null && !isFailure && (
        <p className={classes.words}>
          <bdi>
            <TextWithCode text={failure.message} />
          </bdi>
        </p>
      )}
    </div>
  );
}
