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

/** What a condition in JSX leaves is nothing. */
const isShown = (node: ReactNode): boolean => node !== undefined && node !== null && node !== false;

/** Where a list has nothing yet: why, and the next step. */
export function EmptyState({ title, children, action, command }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.why}>{children}</p>
      {action}
      {command !== undefined && (
        <div className={classes.command}>
          <p className={classes.bridge}>{isShown(action) ? 'or in a terminal:' : 'In a terminal:'}</p>
          <CodeBlock code={command} label="command" />
        </div>
      )}
    </div>
  );
}
