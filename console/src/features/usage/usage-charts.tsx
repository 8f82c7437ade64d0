import { useCallback, useMemo } from 'react';
import { Chart } from '../../components/chart';
import { decimal, duration, shortCount } from '../../components/format';
import { seriesColor } from '../../components/series-color';
import classes from './usage.module.css';
import { resolutionOf, stacksOf, type Measure, type UsageSeries } from './usage-series';

interface UsageChartProps {
  readonly series: UsageSeries;
  readonly measure: Measure;
}

/** Two charts below one another: a time stands at the same place in both. */
const AXIS_PX = 52;

const useTimes = ({ buckets }: UsageSeries): readonly number[] =>
  useMemo(() => buckets.map((start) => Date.parse(start) / 1_000), [buckets]);

/** The day, or the hour where buckets are hours. */
function useTimeFormat({ bucket }: UsageSeries): (seconds: number) => string {
  return useCallback(
    (seconds: number) => {
      const options: Intl.DateTimeFormatOptions =
        bucket === 'hour'
          ? { weekday: 'short', hour: 'numeric', minute: '2-digit' }
          : { weekday: 'short', day: 'numeric', month: 'short' };
      return new Intl.DateTimeFormat(undefined, options).format(seconds * 1_000);
    },
    [bucket],
  );
}

export function UsageChart({ series, measure }: UsageChartProps) {
  const times = useTimes(series);
  const formatTime = useTimeFormat(series);
  const stacks = useMemo(
    () => stacksOf(series, measure).map((stack, index) => ({ ...stack, color: seriesColor(index) })),
    [series, measure],
  );
  return (
    <section aria-labelledby="amount">
      <h2 id="amount" className={classes.heading}>
        {measure === 'tokens' ? 'Tokens' : 'Requests'} {resolutionOf(series)}
      </h2>
      <Chart
        label={`${measure === 'tokens' ? 'Tokens' : 'Requests'} over time; the same numbers are in the table below`}
        // Of requests there is always one: without any, the page has no chart.
        none="No request that has ended used tokens in this time."
        kind="stacked-bars"
        times={times}
        series={stacks}
        formatValue={shortCount}
        formatTime={formatTime}
        axisPx={AXIS_PX}
        height={260}
      />
    </section>
  );
}

export function LatencyChart({ series }: { readonly series: UsageSeries }) {
  const times = useTimes(series);
  const formatTime = useTimeFormat(series);
  const lines = useMemo(
    () => [
      // Of a few requests both are the same: the last one is drawn above the other.
      {
        name: 'Median',
        color: '--series-1',
        values: series.latency.map((latency) => latency?.ttft_p50_ms ?? null),
      },
      {
        name: 'p95',
        color: '--series-3',
        ring: true,
        values: series.latency.map((latency) => latency?.ttft_p95_ms ?? null),
      },
    ],
    [series],
  );
  const formatAxis = useMemo(() => inOneUnit(lines.flatMap(({ values }) => values)), [lines]);
  return (
    <section aria-labelledby="latency">
      <h2 id="latency" className={classes.heading}>
        Time to first token (streaming), {resolutionOf(series)}
      </h2>
      <Chart
        label="Time to first token over time; the same numbers are in the table below"
        none="No streamed response was completed in this time."
        kind="lines"
        times={times}
        series={lines}
        formatValue={duration}
        formatAxis={formatAxis}
        formatTime={formatTime}
        axisPx={AXIS_PX}
        height={200}
      />
    </section>
  );
}

const MINUTE_MS = 60_000;

/** Of an axis: 0.5 s below 1 s, not 500 ms. */
function inOneUnit(values: readonly (number | null)[]): (milliseconds: number) => string {
  const largest = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  if (largest <= 1_000 || largest >= MINUTE_MS) return duration;
  return (milliseconds) => `${decimal(milliseconds / 1_000, 1, 1)} s`;
}
