import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ChartProps } from './chart-canvas';
import classes from './chart.module.css';

const ChartCanvas = lazy(() => import('./chart-canvas'));

interface ChartOrNoneProps extends ChartProps {
  /** A sentence for times of which nothing is known. */
  readonly none: string;
  /** A chart follows soon: it will move nothing. */
  readonly follows?: boolean;
}

/** The drawing library is fetched with the first chart that has something to draw. */
export function Chart({ none, follows = false, ...props }: ChartOrNoneProps) {
  const { series, kind } = props;
  // A line at zero was measured; a bar of that height cannot be seen.
  const isEmpty = series.every(({ values }) =>
    values.every((value) => value === null || (kind !== 'lines' && value === 0)),
  );
  if (isEmpty) {
    return (
      <p className={classes.none} style={follows ? { minHeight: props.height } : undefined}>
        {none}
      </p>
    );
  }
  return (
    <Suspense fallback={<Skeleton height={props.height ?? 240} />}>
      <ChartCanvas {...props} />
    </Suspense>
  );
}
