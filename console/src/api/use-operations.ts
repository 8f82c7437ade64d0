/** Operations on models: start them, cancel them, try them again, and see those that go on. The live feed brings their progress. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from './client';
import type { Schemas } from './management-api.types';
import { isLive, type Operation } from './operation-state';
import { operationsQuery } from './queries';

type OperationInput = Partial<Schemas['CreateOperation']> & Pick<Schemas['CreateOperation'], 'kind'>;

export function useLiveOperations(): readonly Operation[] {
  const { data = [] } = useQuery(operationsQuery);
  return data.filter(isLive);
}

export function useStartOperation(onStarted?: (operation: Operation) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: OperationInput) => bodyOf(api.POST('/api/operations', { body: input })),
    onSuccess: (operation) => {
      queries.setQueryData<readonly Operation[]>(['operations'], (list = []) => [
        operation,
        ...list.filter(({ id }) => id !== operation.id),
      ]);
      onStarted?.(operation);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['operations'] }),
  });
}

/** Its failure is dismissed by the relay. */
export function useRetryOperation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => bodyOf(api.POST('/api/operations/{id}/retry', { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['operations'] }),
  });
}

export function useDismissOperation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => bodyOf(api.POST('/api/operations/{id}/dismiss', { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['operations'] }),
  });
}

export function useCancelOperation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => bodyOf(api.POST('/api/operations/{id}/cancel', { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['operations'] }),
  });
}
