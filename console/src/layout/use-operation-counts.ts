import { useQuery } from '@tanstack/react-query';
import { isLive, needsAttention } from '../api/operation-state';
import { operationsQuery } from '../api/queries';

interface OperationCounts {
  readonly running: number;
  readonly failed: number;
}

export function useOperationCounts(): OperationCounts {
  const { data = [] } = useQuery(operationsQuery);
  return {
    running: data.filter(isLive).length,
    failed: data.filter((operation) => needsAttention(operation)).length,
  };
}

/** "1 running, 2 failed"; empty without any. */
export const countsText = ({ running, failed }: OperationCounts): string =>
  [...(running > 0 ? [`${running} running`] : []), ...(failed > 0 ? [`${failed} failed`] : [])].join(', ');
