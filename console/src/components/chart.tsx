import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ChartProps } from './chart-canvas';

const ChartCanvas = lazy(() => import('./chart-canvas'));

/** The drawing library is fetched with the first chart. */
export function Chart(props: ChartProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height ?? 240} />}>
      <ChartCanvas {...props} />
    </Suspense>
  );
}
