import { lazy, Suspense, useEffect, useState } from 'react';

const load = () => import('./notice-list');
const Notifications = lazy(async () => ({ default: (await load()).Notifications }));

/** By then the page has been drawn. What is said before is shown then. */
const AFTER_START_MS = 2_000;

/**
 * Where short messages appear: "Saved." Its code is fetched soon, because a message may say that the relay is gone; it is drawn with the first
 * message, because both in one task would keep a slow computer from answering.
 */
export function Notices() {
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    const stopped = new AbortController();
    const begin = async (): Promise<void> => {
      const { notificationsStore: store } = await load();
      if (stopped.signal.aborted) return;
      const look = (): void => setWanted((was) => was || store.getState().notifications.length > 0);
      stopped.signal.addEventListener('abort', store.subscribe(look));
      look();
    };
    // Without its code there are no messages; the next page load tries again.
    const timer = setTimeout(() => void begin().catch(() => undefined), AFTER_START_MS);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, []);
  return (
    wanted && (
      <Suspense>
        <Notifications position="bottom-right" limit={4} />
      </Suspense>
    )
  );
}
