import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useState, type ComponentType } from 'react';
import type { ChartProps } from './chart-canvas';
import classes from './chart.module.css';

let loadedCanvas: ComponentType<ChartProps> | undefined;
const loadCanvas = async () => {
  const module = await import('./chart-canvas');
  loadedCanvas = module.default;
  return module;
};
const LazyCanvas = lazy(loadCanvas);

/** Fetches the drawing library, for a page on which a chart is likely: beside the page's data, not after them. */
export function preloadChart(): void {
  // Whoever draws one then reports the failure.
  loadCanvas().catch(() => undefined);
}

interface ChartOrNoneProps extends ChartProps {
  /** A sentence for times of which nothing is known. */
  readonly none: string;
  /** A sentence for lines that are zero all the time: they would be hidden by the axis. */
  readonly zero?: string | undefined;
}

/** Of a line of names below the drawing. */
const LEGEND_PX = 24;

/** The drawing library is fetched with the first chart that has something to draw. What waits for it is as high: nothing jumps. */
export function Chart({ none, zero, ...props }: ChartOrNoneProps) {
  const { height = 240, legend = true } = props;
  // React shows what a lazy component waits for at least 300 ms, also when it needs not be waited for.
  const [Canvas] = useState(() => loadedCanvas ?? LazyCanvas);
  const sentence = sentenceOf({ none, zero, ...props });
  if (sentence !== null) {
    return <p className={classes.none}>{sentence}</p>;
  }
  const placePx = height + (legend ? LEGEND_PX : 0);
  return (
    <Suspense fallback={<Skeleton height={placePx} />}>
      <Canvas {...props} />
    </Suspense>
  );
}

/** @returns null: there is something to draw */
function sentenceOf({ none, zero, series, kind }: ChartOrNoneProps): string | null {
  const values = series.flatMap((one) => one.values).filter((value) => value !== null);
  if (values.length === 0) return none;
  if (values.some((value) => value !== 0)) return null;
  // A line at zero was measured; a bar of that height cannot be seen.
  return kind === 'lines' ? (zero ?? null) : none;
}
