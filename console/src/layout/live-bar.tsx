import { useSyncExternalStore } from 'react';
import type { LiveEvents } from '../api/live-events';
import classes from './live-bar.module.css';

/** Says that what is shown may be old. */
export function LiveBar({ events }: { readonly events: LiveEvents }) {
  const state = useSyncExternalStore(events.subscribe, events.current);
  return (
    <div role="status" className={classes.place}>
      {state === 'lost' && <p className={classes.bar}>Live data lost, reconnecting…</p>}
    </div>
  );
}
