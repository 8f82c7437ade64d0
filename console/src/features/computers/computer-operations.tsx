import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { isLive, needsAttention, subjectOf, type Operation } from '../../api/operation-state';
import { DataTable, type Column } from '../../components/data-table';
import { OperationFailure } from '../../components/operation-failure';
import { OperationProgress } from '../../components/operation-progress';
import { RelativeTime } from '../../components/relative-time';
import { StateDot, type State } from '../../components/state-dot';
import classes from './computers.module.css';

const SHOWN = 20;

const states: Readonly<Record<Operation['state'], State>> = {
  queued: 'working',
  running: 'working',
  succeeded: 'serving',
  failed: 'failed',
  cancelled: 'off',
};

const columns: readonly Column<Operation>[] = [
  {
    id: 'what',
    header: 'Operation',
    heading: true,
    cell: (operation) => `${operation.kind} ${subjectOf(operation)}`,
  },
  {
    id: 'state',
    header: 'State',
    cell: (operation) =>
      isLive(operation) ? (
        <OperationProgress operation={operation} />
      ) : needsAttention(operation) ? (
        <OperationFailure operation={operation} />
      ) : (
        <span className={classes.name}>
          <StateDot state={states[operation.state]} label={operation.state} />
          {operation.failure !== null && <span className={classes.quiet}>{operation.failure.message}</span>}
        </span>
      ),
  },
  { id: 'began', header: 'Began', width: '120px', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
];

/** The last operations on this computer; nothing where there was none. */
export function ComputerOperations({ nodeId }: { readonly nodeId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['operations', 'of-node', nodeId],
    queryFn: async () =>
      (await bodyOf(api.GET('/api/operations', { params: { query: { limit: SHOWN, node_id: nodeId } } }))).data,
  });
  if (data?.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="operations">
      <h2 id="operations" className={classes.sectionTitle}>
        Operations
      </h2>
      <DataTable
        label="Operations"
        prefix="o"
        rows={data}
        columns={columns}
        rowKey={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={null}
      />
    </section>
  );
}
