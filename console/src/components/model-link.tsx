import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Operation } from '../api/operation-state';
import { nodesQuery } from '../api/queries';
import { modelOfOperation } from './model-of-operation';

interface ModelLinkProps {
  readonly operation: Operation;
  readonly className?: string | undefined;
  readonly onClick?: () => void;
  /** Shown instead where no computer has the model. Default: the same without a link. */
  readonly absent?: ReactNode;
  readonly children: ReactNode;
}

/** To the model that an operation is about, as long as a computer has it. */
export function ModelLink({ operation, className, onClick, absent, children }: ModelLinkProps) {
  const { data: nodes = [] } = useQuery(nodesQuery);
  const model = modelOfOperation(operation, nodes);
  if (model === undefined) return absent === undefined ? <span className={className}>{children}</span> : absent;
  return (
    <Link to="/models" search={{ q: model.display_name }} className={className} onClick={onClick}>
      {children}
    </Link>
  );
}
