import type { ReactNode } from 'react';
import { CodeBlock } from './code-block';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  readonly title: string;
  /** One sentence of why it is empty or what it is for. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
  /** The next command, for people who prefer a terminal. */
  readonly command?: string;
}

/** Where a list has nothing yet: why, and the next step. */
export function EmptyState({ title, children, action, command }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.why}>{children}</p>
      {action}
      {command !== undefined && (
        <div className={classes.command}>
          <CodeBlock code={command} label="command" />
        </div>
      )}
    </div>
  );
}
