import { SegmentedControl, Skeleton } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, bodyOf } from '../../api/client';
import type { Schemas } from '../../api/management-api.types';
import { Chart } from '../../components/chart';
import { ErrorPanel } from '../../components/error-panel';
import type { Node } from '../../components/node-facts';
import { useUrlState } from '../../components/url-state';
import { historyCharts } from './history-charts';
import classes from './history.module.css';
import { HistoryTable } from './history-table';

type History = Schemas['NodeHistory'];
type Range = History['range'];

const ranges: readonly { readonly value: Range; readonly label: string }[] = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
];

/** A minute later there is another sample. */
const EVERY_MS = 60_000;

const historyQuery = (nodeId: string, range: Range) =>
  queryOptions({
    queryKey: ['node-history', nodeId, range],
    queryFn: () => bodyOf(api.GET('/api/nodes/{nodeId}/history', { params: { path: { nodeId }, query: { range } } })),
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });

/** Tokens per second by model, slots and memory of this computer: the last hour, day or week. */
export function ComputerHistory({ node: { node_id: nodeId, online, created } }: { readonly node: Node }) {
  // Of one that is away, the last hour is empty.
  const usual = online ? 'hour' : 'week';
  const [chosen, setChosen] = useUrlState('range', usual);
  const range = ranges.find(({ value }) => value === chosen)?.value ?? usual;
  const { data, error, refetch } = useQuery(historyQuery(nodeId, range));
  return (
    <section className={classes.section} aria-labelledby="history">
      <div className={classes.head}>
        <h2 id="history" className={classes.title}>
          Over time
        </h2>
        <SegmentedControl
          size="xs"
          aria-label="Range"
          data={ranges.map(({ value, label }) => ({ value, label }))}
          value={range}
          onChange={setChosen}
        />
      </div>
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Skeleton height={200} role="status" aria-label="Loading" />
      ) : (
        <Charts history={data} online={online} joinedMs={created * 1_000} />
      )}
    </section>
  );
}

interface ChartsProps {
  readonly history: History;
  readonly online: boolean;
  readonly joinedMs: number;
}

function Charts({ history, online, joinedMs }: ChartsProps) {
  const times = useMemo(() => history.buckets.map((start) => Date.parse(start) / 1_000), [history]);
  const drawn = useMemo(() => historyCharts(history, joinedMs), [history, joinedMs]);
  const formatTime = history.range === 'week' ? dayOf : hourOf;
  const nothing = drawn.every(({ series }) => series.every(({ values }) => values.every((value) => value === null)));
  if (nothing && !online) return <p className={classes.quiet}>No data for the last {history.range}.</p>;
  return (
    <div className={classes.charts}>
      {drawn.map(({ title, series, unit, hasOwnNames, format, formatAxis = format, ...drawing }) => (
        <div key={title}>
          <h3 className={classes.chartTitle}>{title}</h3>
          <Chart
            label={`${title} over time; means and peaks are in the table below it`}
            none={online ? 'The first point appears within a minute.' : `No data for the last ${history.range}.`}
            {...drawing}
            // The table below names its lines.
            legend={false}
            kind="lines"
            times={times}
            series={series}
            formatValue={format}
            formatAxis={formatAxis}
            formatTime={formatTime}
            height={160}
          />
          <HistoryTable title={title} series={series} {...(unit && { unit })} {...(hasOwnNames && { hasOwnNames })} />
        </div>
      ))}
    </div>
  );
}

const timeFormat = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const dayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit' });
const hourOf = (seconds: number): string => timeFormat.format(seconds * 1_000);
const dayOf = (seconds: number): string => dayFormat.format(seconds * 1_000);
