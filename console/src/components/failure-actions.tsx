import type { Operation } from '../api/operation-state';
import { usePermission } from '../api/use-permission';
import { DismissOperation } from './dismiss-operation';
import { RetryOperation } from './retry-operation';

/** Retry and Dismiss of a failed operation; nothing where it was laid aside, or one may do neither. */
export function FailureActions({ operation }: { readonly operation: Operation }) {
  const mayManage = usePermission('operations:write');
  if (!mayManage || operation.dismissed_at !== null) return null;
  return (
    <>
      <RetryOperation operation={operation} />
      <DismissOperation operation={operation} />
    </>
  );
}
