import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { runningRequestsQuery } from '../api/queries';
import { useMayStop, useStopRequest, type RunningRequest } from '../api/use-stop-request';
import { CutText } from './cut-text';
import type { Column } from './data-table';
import { DottedLine } from './dotted-line';
import { ErrorPanel } from './error-panel';
import { count, countOf, duration, NONE, tokensPerSecond } from './format';
import { OriginLine } from './origin-line';
import classes from './running-requests.module.css';
import { runningMeasures } from './running-measures';
import { speedSoFar } from './running-speed';
import { StateDot, type State } from './state-dot';
import { TableSection } from './table-section';
import shared from './table-section.module.css';

const states: Readonly<Record<RunningRequest['state'], { readonly state: State; readonly label: string }>> = {
  queued: { state: 'attention', label: 'Waiting' },
  prefill: { state: 'working', label: 'Reading' },
  decode: { state: 'serving', label: 'Generating' },
};

const keyOf = ({ key_name, key_id }: RunningRequest): string =>
  key_name ?? (key_id.startsWith('usr_') ? 'Website' : key_id);

const columns: readonly Column<RunningRequest>[] = [
  {
    id: 'model',
    header: 'Model',
    heading: true,
    cell: ({ id, model }) => (
      <Link to="/requests/$requestId" params={{ requestId: id }} className={shared.link}>
        <CutText text={model} />
      </Link>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: '124px',
    card: 'second-start',
    cell: (request, inCard) =>
      inCard ? (
        <OriginLine first={<StateDot {...states[request.state]} />} names={[keyOf(request)]} />
      ) : (
        <StateDot {...states[request.state]} />
      ),
  },
  { id: 'key', header: 'Key', rank: 2, card: 'none', cell: keyOf },
  {
    id: 'node',
    header: 'Computer',
    rank: 9,
    width: '140px',
    card: 'none',
    cell: ({ node_name }) => node_name ?? NONE,
    below: ({ node_name }) => node_name ?? '',
  },
  {
    id: 'tokens',
    header: 'Tokens',
    numeric: true,
    width: '80px',
    card: 'third',
    cell: (request, inCard) => (inCard ? <Place request={request} /> : count(request.output_events)),
    below: ({ output_events }) => (output_events === null ? '' : countOf(output_events, 'token')),
  },
  {
    id: 'speed',
    header: 'Speed',
    numeric: true,
    width: '104px',
    rank: 8,
    card: 'none',
    cell: (request) => tokensPerSecond(speedSoFar(request)),
  },
  {
    id: 'age',
    header: 'Running for',
    rank: 3,
    numeric: true,
    width: '96px',
    card: 'second-end',
    cell: ({ age_ms }) => duration(age_ms),
  },
];

/** "studio · 412 tokens · 41 tok/s", of which the name of the computer is cut. */
function Place({ request }: { readonly request: RunningRequest }) {
  const { node_name } = request;
  const measures = runningMeasures(request).join(' · ');
  return <DottedLine parts={node_name === null ? [measures] : [node_name, measures]} onOneLine />;
}

/** The requests that run at this moment, each with Stop. */
export function RunningRequests() {
  const running = useQuery(runningRequestsQuery);
  const { data } = running;
  const stop = useStopRequest();
  const mayStop = useMayStop();
  const { mutate, isPending, variables } = stop;
  const withStop = useMemo(
    (): readonly Column<RunningRequest>[] => [
      ...columns,
      {
        id: 'stop',
        header: 'Actions',
        numeric: true,
        width: '80px',
        rank: 0,
        card: 'corner',
        cell: (request) =>
          mayStop(request) && (
            <Button
              size="compact-xs"
              variant="default"
              loading={isPending && variables === request.id}
              onClick={() => mutate(request.id)}
              aria-label={`Stop ${request.model} of ${keyOf(request)}`}
            >
              Stop
            </Button>
          ),
      },
    ],
    [mayStop, mutate, isPending, variables],
  );
  return (
    <TableSection
      title="Running now"
      mark={data !== undefined && data.length > 0 ? count(data.length) : undefined}
      notice={stop.error !== null && <ErrorPanel title="It could not be stopped" error={stop.error} />}
      prefix="running-"
      query={running}
      columns={withStop}
      rowKey={({ id }) => id}
      empty={<p className={classes.none}>No request is running.</p>}
    />
  );
}
