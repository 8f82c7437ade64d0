import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './api-problem';

const RETRIES = 2;

/** Refusals stay refusals; what may pass (no response, 5xx, 429) is tried again. */
const mayPass = (error: Error): boolean =>
  error instanceof ApiProblem && (error.code === 'network' || error.status >= 500 || error.status === 429);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < RETRIES && mayPass(error),
      // The live feed tells of changes; this covers what it has no topic for.
      staleTime: 30_000,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
});
