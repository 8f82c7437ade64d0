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
  /** What the command does, where that is not the same as the action: "make a join command". */
  readonly commandDoes?: string;
  /** For one of several lists of a page, below a title of its own. */
  readonly compact?: boolean;
}

/** What a condition in JSX leaves is nothing. */
const isShown = (node: ReactNode): boolean => node !== undefined && node !== null && node !== false;

/** "or in a terminal:", "or make a join command in a terminal:", "Make a join command in a terminal:" */
function bridge(isOther: boolean, does: string | undefined): string {
  if (does === undefined) return isOther ? 'or in a terminal:' : 'In a terminal:';
  return isOther ? `or ${does} in a terminal:` : `${does.charAt(0).toUpperCase()}${does.slice(1)} in a terminal:`;
}

/** Where a list has nothing yet: why, and the next step. */
export function EmptyState({ title, children, action, command, commandDoes, compact = false }: EmptyStateProps) {
  const Title = compact ? 'p' : 'h2';
  return (
    <div className={classes.empty} data-compact={compact || undefined}>
      <Title className={classes.title}>{title}</Title>
      <p className={classes.why}>{children}</p>
      {action}
      {command !== undefined && (
        <div className={classes.command}>
          <p className={classes.bridge}>{bridge(isShown(action), commandDoes)}</p>
          <CodeBlock code={command} label="command" />
        </div>
      )}
    </div>
  );
}
