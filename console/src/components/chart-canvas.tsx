/** uPlot in React: made once, given new data, redrawn when its width or the colour scheme changes. */
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { chartOptions, resolveColor, stackedData, type ChartSeries } from './chart-options';
import classes from './chart-canvas.module.css';

export interface ChartProps {
  /** What is drawn, for screen readers; the numbers stand in a table below it. */
  readonly label: string;
  /** Seconds since 1970, ascending. Keep this and `series` from render to render: new ones draw the chart anew. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly kind: 'stacked-bars' | 'lines';
  readonly formatValue: (value: number) => string;
  readonly formatTime: (seconds: number) => string;
  readonly height?: number;
}

export default function ChartCanvas({ label, times, series, kind, formatValue, formatTime, height = 240 }: ChartProps) {
  const { ref: box, width } = useElementSize<HTMLDivElement>();
  const scheme = useComputedColorScheme();
  const canvas = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = canvas.current;
    if (target === null || width === 0 || times.length === 0) return;
    const options = chartOptions({ times, width, height, series, kind, formatValue, formatTime, color: resolveColor });
    const plot = new UPlot(options, stackedData(times, series, kind), target);
    return () => plot.destroy();
    // `scheme` is read through the style sheet: canvases know no CSS variables.
  }, [width, height, times, series, kind, formatValue, formatTime, scheme]);
  return (
    <figure className={classes.chart} aria-label={label}>
      <div ref={box} className={classes.canvas} style={{ height }}>
        <div ref={canvas} />
      </div>
      <figcaption className={classes.legend}>
        {series.map(({ name, color }) => (
          <span key={name} className={classes.entry}>
            <span className={classes.swatch} style={{ background: `var(${color})` }} aria-hidden="true" />
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
