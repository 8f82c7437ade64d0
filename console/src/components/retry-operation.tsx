import { Button } from '@mantine/core';
import type { Operation } from '../api/operation-state';
import { useRetryOperation } from '../api/use-operations';
import { FormError } from './form-error';
import { operationName } from './operation-words';

/** Does again what has failed; the relay dismisses the failure then. */
export function RetryOperation({ operation }: { readonly operation: Operation }) {
  const retry = useRetryOperation();
  return (
    <>
      <Button
        size="compact-xs"
        variant="light"
        loading={retry.isPending}
        onClick={() => retry.mutate(operation.id)}
        aria-label={`Retry ${operationName(operation)}`}
      >
        Retry
      </Button>
      <FormError error={retry.error} />
    </>
  );
}
