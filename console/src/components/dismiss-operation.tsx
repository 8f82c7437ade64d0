import { Button } from '@mantine/core';
import type { Operation } from '../api/operation-state';
import { useDismissOperation } from '../api/use-operations';
import { FormError } from './form-error';
import { operationName } from './operation-words';

/** Lays a failure aside: its row is as it was before. */
export function DismissOperation({ operation }: { readonly operation: Operation }) {
  const dismiss = useDismissOperation();
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        loading={dismiss.isPending}
        onClick={() => dismiss.mutate(operation.id)}
        aria-label={`Dismiss ${operationName(operation)}`}
      >
        Dismiss
      </Button>
      <FormError error={dismiss.error} />
    </>
  );
}
