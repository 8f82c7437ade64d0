import { Skeleton } from '@mantine/core';

/** @param rows about as many as there will be, so that the page does not jump */
export function TableSkeleton({ rows = 6 }: { readonly rows?: number }) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={20} my={12} width={`${96 - ((index * 13) % 24)}%`} />
      ))}
    </div>
  );
}
