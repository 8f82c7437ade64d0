import { Fragment, type ReactNode } from 'react';
import { CutText } from './cut-text';
import classes from './origin-line.module.css';

interface OriginLineProps {
  /** Shown whole: a time, or a state. */
  readonly first: ReactNode;
  /** Of the key, then of the computer where there is one. What has no room is cut. */
  readonly names: readonly string[];
}

/** "14:02:31 · website · studio", or "Generating · website": the second line of a request's card. */
export function OriginLine({ first, names }: OriginLineProps) {
  return (
    <span className={classes.line}>
      <span className={classes.whole}>{first}</span>
      {names.map((name, index) => (
        <Fragment key={index}>
          <span className={classes.whole}> · </span>
          <span className={index === 0 ? classes.name : classes.computer}>
            <CutText text={name} />
          </span>
        </Fragment>
      ))}
    </span>
  );
}
