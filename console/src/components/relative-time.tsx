import { useSyncExternalStore } from 'react';
import { dateOf, exactTime, logTime, relativeTime, type Instant } from './format';

const TICK_MS = 10_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all times of a page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const each of listeners) each();
    }, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** Now, renewed every ten seconds. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

interface RelativeTimeProps {
  /** Seconds since 1970 or ISO 8601; null: shown as `none`. */
  readonly at: Instant | null | undefined;
  readonly none?: string;
}

/** "2 h ago"; the exact time on hover. A plain title: tables have hundreds of these. */
export function RelativeTime({ at, none = 'never' }: RelativeTimeProps) {
  const current = useNow();
  if (at === null || at === undefined) return <span>{none}</span>;
  // A clock of another computer that is a little ahead is no reason to speak of the future.
  return (
    <time dateTime={dateOf(at).toISOString()} title={exactTime(at)}>
      {relativeTime(at, Math.max(current, Date.now()))}
    </time>
  );
}

/** "14:02:31", with the day where it is another one; how long ago on hover. */
export function LogTime({ at }: { readonly at: Instant }) {
  const current = Math.max(useNow(), Date.now());
  return (
    <time dateTime={dateOf(at).toISOString()} title={`${exactTime(at)}, ${relativeTime(at, current)}`}>
      {logTime(at, current)}
    </time>
  );
}
