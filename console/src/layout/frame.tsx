/** Navigation, the page, and what stands above all pages. */
import { useMediaQuery } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { liveEvents } from '../api/live-events';
import { useNotificationsOn } from '../api/notification-choice';
import { PHONE } from '../components/breakpoints';
import classes from './frame.module.css';
import { LiveBar } from './live-bar';
import { Navigation } from './navigation';
import { OperationsHost } from './operations-host';
import { PaletteHost } from './palette-host';
import { PageSkeleton } from './page-skeleton';

/** Its drawer is code that no wide screen needs. */
const BottomBar = lazy(async () => ({ default: (await import('./bottom-bar')).BottomBar }));

const AttentionNotices = lazy(() => import('./attention-notices'));

export function Frame() {
  useEffect(liveEvents.open, []);
  // Known before the first drawing: this is no page that a server draws.
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const notifies = useNotificationsOn();
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      {!isPhone && <Navigation />}
      <div className={classes.column}>
        <LiveBar events={liveEvents} />
        <main id="content" className={classes.content} tabIndex={-1}>
          <Suspense fallback={<PageSkeleton />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      {isPhone && (
        <Suspense>
          <BottomBar />
        </Suspense>
      )}
      <PaletteHost />
      <OperationsHost />
      {notifies && (
        <Suspense>
          <AttentionNotices />
        </Suspense>
      )}
    </div>
  );
}
