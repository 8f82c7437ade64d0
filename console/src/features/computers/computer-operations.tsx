import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, bodyOf } from '../../api/client';
import { NEWEST_OPERATIONS, operationsQuery } from '../../api/queries';
import { isLive, needsAttention, subjectOf, type Operation } from '../../api/operation-state';
import type { Column } from '../../components/data-table';
import { placer } from '../../components/model-actions/placement';
import type { Node } from '../../components/node-facts';
import { OperationFailure } from '../../components/operation-failure';
import { OperationProgress } from '../../components/operation-progress';
import { RelativeTime } from '../../components/relative-time';
import { StateDot, type State } from '../../components/state-dot';
import { TableSection } from '../../components/table-section';
import { TextWithCode } from '../../components/text-with-code';
import classes from './computers.module.css';

const SHOWN = 20;

const states: Readonly<Record<Operation['state'], State>> = {
  queued: 'working',
  running: 'working',
  succeeded: 'serving',
  failed: 'failed',
  cancelled: 'off',
};

const kinds: Readonly<Record<Operation['kind'], string>> = {
  install: 'Install',
  load: 'Load',
  unload: 'Unload',
  remove: 'Remove',
};

const columns: readonly Column<Operation>[] = [
  {
    id: 'what',
    header: 'Operation',
    heading: true,
    cell: (operation) => `${kinds[operation.kind]} ${subjectOf(operation)}`,
  },
  {
    id: 'state',
    header: 'State',
    card: 'whole',
    width: '280px',
    cell: (operation) => {
      if (isLive(operation)) return <OperationProgress operation={operation} />;
      if (needsAttention(operation)) return <OperationFailure operation={operation} />;
      return (
        <span className={classes.name}>
          <StateDot state={states[operation.state]} label={operation.state} />
          {operation.failure !== null && (
            <bdi className={classes.quiet}>
              <TextWithCode text={operation.failure.message} />
            </bdi>
          )}
        </span>
      );
    },
  },
  {
    id: 'began',
    header: 'Started',
    width: '120px',
    card: 'line',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
];

/** The last operations on this computer, but for failures that stand among its models; nothing where there was none. */
export function ComputerOperations({ node }: { readonly node: Node }) {
  const nodeId = node.node_id;
  const newest = useQuery(operationsQuery);
  // With fewer than were asked for there are no others.
  const isWhole = newest.data !== undefined && newest.data.length < NEWEST_OPERATIONS;
  const own = useQuery({
    queryKey: ['operations', 'of-node', nodeId],
    enabled: newest.data !== undefined && !isWhole,
    queryFn: async () =>
      (await bodyOf(api.GET('/api/operations', { params: { query: { limit: SHOWN, node_id: nodeId } } }))).data,
  });
  const ofNode = newest.data?.filter(({ node_id }) => node_id === nodeId).slice(0, SHOWN);
  const operations = isWhole || newest.error !== null ? { ...newest, data: ofNode } : own;
  // The table of models has the reason, and a button to try again.
  const explained = useMemo(() => {
    const placeOf = placer(newest.data ?? []);
    return new Set(node.models.map((model) => placeOf(node, model).failure?.id));
  }, [newest.data, node]);
  const shown = operations.data?.filter(({ id }) => !explained.has(id));
  if (shown?.length === 0) return null;
  return (
    <TableSection
      title="Operations"
      prefix="o"
      query={{ ...operations, data: shown }}
      columns={columns}
      rowKey={({ id }) => id}
      empty={null}
    />
  );
}
