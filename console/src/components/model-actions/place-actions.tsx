import { Button } from '@mantine/core';
import { isLoadable } from '../node-facts';
import { unloadLabel } from './action-labels';
import classes from './model-actions.module.css';
import type { ModelActionsInTable, Placement } from './placement';

interface PlaceActionsProps extends ModelActionsInTable {
  readonly place: Placement;
}

/** What can be done with a model on one computer now. */
export function PlaceActions({ place, busy, onLoad, onUnload, onRemove }: PlaceActionsProps) {
  const { model, operation, failure } = place;
  // Beside it stands Retry, which loads with the same settings.
  const hasFailed = failure?.kind === 'load';
  if (operation !== undefined || model.reason !== null) return null;
  return (
    <span className={classes.actions}>
      {isLoadable(model) && (
        <>
          <Button
            size="compact-xs"
            variant="default"
            title={hasFailed ? 'Load it with other settings' : undefined}
            onClick={() => onLoad([place])}
          >
            Load…
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => onRemove([place])}>
            Remove…
          </Button>
        </>
      )}
      {model.state === 'loaded' && (
        <Button size="compact-xs" variant="default" onClick={() => onUnload([place])}>
          {unloadLabel([place], busy)}
        </Button>
      )}
    </span>
  );
}
