import type { ReactNode } from 'react';
import classes from './computer-facts.module.css';

interface FactProps {
  readonly name: string;
  /** Below the value, smaller. */
  readonly note?: ReactNode;
  /** Takes two columns. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** One cell of a grid of facts: label, value, note. */
export function Fact({ name, note, wide = false, children }: FactProps) {
  return (
    <div className={wide ? classes.wide : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {note !== undefined && <dd className={classes.note}>{note}</dd>}
    </div>
  );
}
