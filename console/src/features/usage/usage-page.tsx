import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { nodesQuery, overviewQuery } from '../../api/queries';
import { preloadChart } from '../../components/chart';
import { EmptyState } from '../../components/empty-state';
import { ErrorPanel } from '../../components/error-panel';
import { count, shortCount } from '../../components/format';
import { NoComputer } from '../../components/no-computer';
import { PageHead } from '../../layout/page-head';
import { useSelectedCluster } from '../../layout/selected-cluster';
import classes from './usage.module.css';
import { LatencyChart, UsageChart } from './usage-charts';
import { UsageErrors } from './usage-errors';
import { usageSeriesQuery } from './usage-query';
import { seriesRequestOf } from './usage-range';
import { bucketRows, seriesCsv, type Measure, type UsageSeries } from './usage-series';
import { UsageTable } from './usage-table';
import { DownloadButton, UsageToolbar, useUsageSelection } from './usage-toolbar';

preloadChart();

/** That the request log knows, too. */
const logRanges: readonly string[] = ['24h', '7d'];

export function UsagePage() {
  const cluster = useSelectedCluster();
  const selection = useUsageSelection();
  const { preset, from, to, measure } = selection;
  const request = seriesRequestOf({ range: preset, from, to, by: selection.by, cluster });
  const { by } = request;
  const { data: series, error, refetch } = useQuery(usageSeriesQuery(request));
  const totals = useMemo(() => series && totalsOf(series), [series]);
  const isEmpty = totals?.requests === 0;
  const { data: overview } = useQuery({ ...overviewQuery, enabled: isEmpty });
  const isNew = isEmpty && overview?.checklist.has_request === false;
  return (
    <>
      <PageHead
        title="Usage"
        action={series && !isEmpty && <DownloadButton name={`usage-by-${by}.csv`} text={() => seriesCsv(series)} />}
      />
      {!isNew && <UsageToolbar selection={{ ...selection, by }} />}
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {series === undefined || totals === undefined ? (
        error === null && <Skeleton height={320} role="status" aria-label="Loading" />
      ) : (
        <UsageBody
          series={series}
          totals={totals}
          measure={measure === 'requests' ? 'requests' : 'tokens'}
          since={from === '' && logRanges.includes(preset) ? preset : undefined}
        />
      )}
    </>
  );
}

interface UsageBodyProps {
  readonly series: UsageSeries;
  readonly totals: ReturnType<typeof totalsOf>;
  readonly measure: Measure;
  readonly since: string | undefined;
}

function UsageBody({ series, totals, measure, since }: UsageBodyProps) {
  if (totals.requests === 0) {
    return <NoUsage />;
  }
  return (
    <div className={classes.body}>
      <dl className={classes.totals}>
        <Total name="Requests" value={count(totals.requests)} />
        <Total name="Tokens in" value={shortCount(totals.input)} exact={count(totals.input)} />
        <Total name="Tokens out" value={shortCount(totals.output)} exact={count(totals.output)} />
        <Total name="Failed" value={count(totals.failed)} />
        <Total name="Rejected" value={count(totals.rejected)} />
      </dl>
      <UsageChart series={series} measure={measure} />
      <LatencyChart series={series} />
      <section aria-labelledby="details">
        <h2 id="details" className={classes.heading}>
          Details
        </h2>
        <UsageTable series={series} />
      </section>
      <UsageErrors errors={series.errors} failed={totals.failed} rejected={totals.rejected} since={since} />
    </div>
  );
}

/** Older requests are spoken of only where there are some. */
function NoUsage() {
  const { data: overview } = useQuery(overviewQuery);
  const { data: nodes } = useQuery(nodesQuery);
  const hasOlder = overview?.checklist.has_request === true;
  if (nodes?.length === 0 && !hasOlder) {
    return (
      <NoComputer title="No requests yet">Requests are answered by models on computers: add one first.</NoComputer>
    );
  }
  return (
    <EmptyState title={hasOlder ? 'No requests in this time' : 'No requests yet'} command="ferry chat">
      Usage appears here a few seconds after a request ends.{hasOlder && ' Choose a longer range to see older ones.'}
    </EmptyState>
  );
}

function Total({ name, value, exact }: { readonly name: string; readonly value: string; readonly exact?: string }) {
  return (
    <div className={classes.total}>
      <dt>{name}</dt>
      <dd title={exact}>{value}</dd>
    </div>
  );
}

function totalsOf(series: UsageSeries) {
  const totals = { requests: 0, input: 0, output: 0, failed: 0, rejected: 0 };
  for (const { requests, inputTokens, outputTokens, failed, rejected } of bucketRows(series)) {
    totals.requests += requests;
    totals.input += inputTokens;
    totals.output += outputTokens;
    totals.failed += failed;
    totals.rejected += rejected;
  }
  return totals;
}
