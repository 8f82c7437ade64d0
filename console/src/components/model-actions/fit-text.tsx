import type { ReactNode } from 'react';
import type { Fit } from '../fits';
import { isLoadable } from '../node-facts';
import classes from './model-actions.module.css';
import { fitOfPlace, type Placement } from './placement';

/** Whether a model fits, in the colour of that. */
export function FitText({ fit, children }: { readonly fit: Fit; readonly children: ReactNode }) {
  return (
    <span className={classes.fit} data-fit={fit}>
      {children}
    </span>
  );
}

/** Nothing where the model is loaded, or its size is not known. @param before stands before the text */
export function PlaceFit({ place, before = '' }: { readonly place: Placement; readonly before?: string }) {
  const { fit, text } = fitOfPlace(place);
  if (!isLoadable(place.model) || text === '') return null;
  return (
    <>
      {before}
      <FitText fit={fit}>{text}</FitText>
    </>
  );
}
