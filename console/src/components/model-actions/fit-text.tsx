import type { ReactNode } from 'react';
import type { Fit } from '../fits';
import classes from './model-actions.module.css';

/** Whether a model fits, in the colour of that. */
export function FitText({ fit, children }: { readonly fit: Fit; readonly children: ReactNode }) {
  return (
    <span className={classes.fit} data-fit={fit}>
      {children}
    </span>
  );
}
