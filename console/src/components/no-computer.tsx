import type { ReactNode } from 'react';
import { usePermission } from '../api/use-permission';
import { EmptyState } from './empty-state';
import { LinkButton } from './link-button';

interface NoComputerProps {
  readonly title: string;
  /** One sentence of why that needs a computer. */
  readonly children: ReactNode;
}

/** Where a page is empty because the account has no computer: the same first step on all of them. */
export function NoComputer({ title, children }: NoComputerProps) {
  const mayManage = usePermission('nodes:write');
  return (
    <EmptyState
      title={title}
      action={
        mayManage && (
          <LinkButton to="/computers" search={{ add: '1' }}>
            Add a computer
          </LinkButton>
        )
      }
      command="ferry nodes join-token"
      commandDoes="make a join command"
    >
      {children}
    </EmptyState>
  );
}
