import { lazy, Suspense, useEffect, useState } from 'react';

const Notifications = lazy(async () => ({ default: (await import('@mantine/notifications')).Notifications }));

/** By then the page has been drawn. What is said before is shown then. */
const AFTER_START_MS = 2_000;

/** Where short messages appear: "Saved." */
export function Notices() {
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWanted(true), AFTER_START_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    wanted && (
      <Suspense>
        <Notifications position="bottom-right" limit={4} />
      </Suspense>
    )
  );
}
