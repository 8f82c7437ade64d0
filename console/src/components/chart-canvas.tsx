/** uPlot in React: made once, given new data, redrawn when its width or the colour scheme changes. */
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Capacity } from './chart-marks';
import { chartOptions, resolveColor, stackedData, type ChartSeries } from './chart-options';
import classes from './chart-canvas.module.css';
import { CutText } from './cut-text';

export interface ChartProps {
  /** What is drawn, for screen readers; the numbers stand in a table below it. */
  readonly label: string;
  /** Seconds since 1970, ascending. Keep this and `series` from render to render: new ones draw the chart anew. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly kind: 'stacked-bars' | 'lines';
  readonly formatValue: (value: number) => string;
  /** Beside the cursor; the axis names whole hours, days or weeks. */
  readonly formatTime: (seconds: number) => string;
  /** Of the axis of values, where it has other digits than the values themselves. */
  readonly formatAxis?: (value: number) => string;
  /** Of the axis of values at least: charts below one another begin at one place. */
  readonly axisPx?: number;
  /** Where the axis of values ends. Default: above the largest value. */
  readonly capacity?: Capacity | undefined;
  /** false: the title names the only series. */
  readonly legend?: boolean;
  readonly height?: number;
}

export default function ChartCanvas(props: ChartProps) {
  const { label, times, series, kind, formatValue, formatTime, axisPx = 0, legend = true, height = 240 } = props;
  const { formatAxis = formatValue, capacity } = props;
  const { ref: box, width } = useElementSize<HTMLDivElement>();
  const scheme = useComputedColorScheme();
  const canvas = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = canvas.current;
    if (target === null || width === 0 || times.length === 0) return;
    const data = stackedData(times, series, kind);
    const look = { times, width, height, series, data, kind, formatValue, formatAxis, formatTime, axisPx, capacity };
    const options = chartOptions({ ...look, color: resolveColor });
    const plot = new UPlot(options, data, target);
    return () => plot.destroy();
    // `scheme` is read through the style sheet: canvases know no CSS variables.
  }, [width, height, times, series, kind, formatValue, formatAxis, formatTime, axisPx, capacity, scheme]);
  return (
    <figure className={classes.chart} aria-label={label}>
      <div ref={box} className={classes.canvas} style={{ height }}>
        <div ref={canvas} />
      </div>
      {legend && (
        <figcaption className={classes.legend}>
          {series.map(({ name, color }) => (
            <span key={name} className={classes.entry}>
              <span className={classes.swatch} style={{ background: `var(${color})` }} aria-hidden="true" />
              <CutText text={name} />
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}
