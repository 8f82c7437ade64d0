/** How charts are drawn. */
import UPlot, { type Options } from 'uplot';
import { capacityLines, lonePoints, valueLines, type Capacity } from './chart-marks';
import { timeRange, timeTicks } from './chart-times';

export interface ChartSeries {
  readonly name: string;
  /** One per time; null: a gap. */
  readonly values: readonly (number | null)[];
  /** A CSS variable: `--series-1` to `--series-8`. */
  readonly color: string;
  /** Its single points are rings, which show what is below them: it is drawn above a line that may have the same values. */
  readonly ring?: boolean;
}

/** Times, then the values of each series at them. */
type StackedData = [times: number[], ...values: (number | null)[][]];

interface ChartLook {
  readonly times: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly series: readonly ChartSeries[];
  /** What is drawn of them. */
  readonly data: StackedData;
  readonly kind: 'stacked-bars' | 'lines';
  readonly formatValue: (value: number) => string;
  readonly formatAxis: (value: number) => string;
  readonly formatTime: (seconds: number) => string;
  /** Of the axis of values at least. */
  readonly axisPx: number;
  readonly capacity: Capacity | undefined;
  readonly color: (variable: string) => string;
}

export const resolveColor = (variable: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(variable).trim();

/** A stack is drawn from its top: each band holds the sum of itself and those below it, the largest first. */
export function stackedData(
  times: readonly number[],
  series: readonly ChartSeries[],
  kind: ChartLook['kind'],
): StackedData {
  if (kind === 'lines') return [[...times], ...series.map(({ values }) => [...values])];
  const sums = times.map(() => 0);
  const bands = series.map(({ values }) =>
    values.map((value, index) => (sums[index] = (sums[index] ?? 0) + (value ?? 0))),
  );
  return [[...times], ...bands.toReversed()];
}

export function chartOptions({
  times,
  width,
  height,
  series,
  data,
  kind,
  formatValue,
  formatAxis,
  formatTime,
  axisPx,
  capacity,
  color,
}: ChartLook): Options {
  const largest = largestOf(data);
  const linesPx = height - TIMES_PX - TOP_PX;
  // More than there is now was in use while there was more.
  const lines =
    capacity === undefined || capacity.value < largest
      ? valueLines(largest, linesPx, formatAxis)
      : capacityLines(capacity, linesPx);
  const axis = Math.max(axisPx, widest(lines.map(formatAxis)) + AXIS_GAP_PX);
  const ticks = timeTicks({
    times,
    widthPx: width - Math.max(axis, USUAL_AXIS_PX),
    labelWidth: (label) => widest([label]),
  });
  const muted = color('--muted');
  const grid = { stroke: color('--line'), width: 1 };
  const bars = UPlot.paths.bars?.({ size: [0.7, 48], align: 0 });
  const drawn = kind === 'stacked-bars' ? series.toReversed() : series;
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false } },
    padding: [TOP_PX, 0, 0, 0],
    scales: {
      x: { time: true, range: () => [...timeRange(times, width - axis)] },
      y: { range: () => [0, lines.at(-1) ?? 1] },
    },
    axes: [
      {
        stroke: muted,
        font: FONT,
        grid: { show: false },
        ticks: { show: false },
        size: TIMES_PX,
        splits: () => ticks.map(({ at }) => at),
        values: () => ticks.map(({ label }) => label),
      },
      {
        stroke: muted,
        font: FONT,
        grid,
        ticks: { show: false },
        ...fromEdge,
        size: axis,
        splits: () => lines,
        values: (_plot, splits) => splits.map(formatAxis),
      },
    ],
    series: [
      {},
      ...drawn.map(({ name, color: variable, values, ring = false }) =>
        kind === 'stacked-bars'
          ? { label: name, fill: color(variable), width: 0, points: { show: false }, ...(bars && { paths: bars }) }
          : {
              label: name,
              stroke: color(variable),
              width: 1.5,
              spanGaps: false,
              points: {
                show: true,
                size: ring ? RING_PX : POINT_PX,
                fill: ring ? 'transparent' : color(variable),
                ...(ring && { width: RING_LINE_PX }),
                filter: () => lonePoints(values),
              },
            },
      ),
    ],
    plugins: [tooltip(series, formatValue, formatTime)],
  };
}

const POINT_PX = 6;
const RING_PX = 12;
const RING_LINE_PX = 1.5;
const FONT = '12px "Inter Variable", system-ui, sans-serif';
/** Charts of one width have the same times, although their labels of values have different widths. */
const USUAL_AXIS_PX = 72;
/** Between the labels of values and the lines. */
const AXIS_GAP_PX = 8;

/** Of the longest label, in pixels. */
function widest(labels: readonly string[]): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return 0;
  context.font = FONT;
  return Math.ceil(Math.max(0, ...labels.map((label) => context.measureText(label).width)));
}

/** uPlot declares names of these numbers for the compiler, and has none at run time. */
const LEFT: unknown = 1;
const EDGE: unknown = 2;

/** Labels of values begin at the left edge, whatever their lengths: those of several charts stand below one another. */
const fromEdge: UPlot.Axis = {
  gap: 0,
  align: LEFT as UPlot.Axis.Align,
  alignTo: EDGE as UPlot.Axis.AlignTo,
};
/** Height of the axis of times. */
const TIMES_PX = 28;
/** Half of the highest label is above its line. */
const TOP_PX = 8;

const largestOf = ([, ...values]: StackedData): number =>
  values.flat().reduce<number>((largest, value) => Math.max(largest, value ?? 0), 0);

/** A box beside the cursor with the values of its time. Text nodes only: names are hostile text. */
function tooltip(
  series: readonly ChartSeries[],
  formatValue: (value: number) => string,
  formatTime: (seconds: number) => string,
): UPlot.Plugin {
  const box = document.createElement('div');
  box.dataset.chartTooltip = '';
  box.hidden = true;
  const line = (text: string, color?: string) => {
    const element = document.createElement('div');
    element.textContent = text;
    if (color !== undefined) element.style.borderLeft = `8px solid var(${color})`;
    box.append(element);
  };
  return {
    hooks: {
      init: (plot) => plot.over.append(box),
      setCursor: (plot) => {
        const { idx, left = 0 } = plot.cursor;
        box.hidden = idx === null || idx === undefined || left < 0;
        if (box.hidden || idx === null || idx === undefined) return;
        box.replaceChildren();
        line(formatTime(plot.data[0][idx] ?? 0));
        for (const { name, values, color } of series) {
          const value = values[idx];
          if (value !== null && value !== undefined && value !== 0) line(`${name}: ${formatValue(value)}`, color);
        }
        const roomOnRight = left < plot.over.clientWidth / 2;
        box.style.left = roomOnRight ? `${left + 12}px` : '';
        box.style.right = roomOnRight ? '' : `${plot.over.clientWidth - left + 12}px`;
      },
    },
  };
}
