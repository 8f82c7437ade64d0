import { Skeleton } from '@mantine/core';

/** The shape of a page while its code or first data is on its way. */
export function PageSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading">
      <Skeleton height={28} width={200} mb={24} />
      <TableSkeleton />
    </div>
  );
}

/** @param rows about as many as there will be, so that the page does not jump */
export function TableSkeleton({ rows = 6 }: { readonly rows?: number }) {
  return (
    <div aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={20} my={12} width={`${96 - ((index * 13) % 24)}%`} />
      ))}
    </div>
  );
}
