import { Skeleton } from '@mantine/core';
import { TableSkeleton } from '../components/table-skeleton';

/** The shape of a page while its code or first data is on its way. */
export function PageSkeleton() {
  return (
    <div aria-busy="true">
      <Skeleton height={28} width={200} mb={24} />
      <TableSkeleton />
    </div>
  );
}
