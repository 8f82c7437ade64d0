import { Button } from '@mantine/core';
import { isLoadable } from '../node-facts';
import classes from './model-actions.module.css';
import type { ModelActions, Placement } from './placement';

interface PlaceActionsProps extends ModelActions {
  readonly place: Placement;
}

/** What can be done with a model on one computer now. */
export function PlaceActions({ place, onLoad, onUnload, onRemove }: PlaceActionsProps) {
  const { model, operation } = place;
  if (operation !== undefined || model.reason !== null) return null;
  return (
    <span className={classes.actions}>
      {isLoadable(model) && (
        <>
          <Button size="compact-xs" variant="default" onClick={() => onLoad([place])}>
            Load
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => onRemove(place)}>
            Remove
          </Button>
        </>
      )}
      {model.state === 'loaded' && (
        <Button size="compact-xs" variant="default" onClick={() => onUnload([place])}>
          Unload
        </Button>
      )}
    </span>
  );
}
