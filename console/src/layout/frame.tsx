/** Navigation, the page, and what stands above all pages. */
import { Outlet } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo } from 'react';
import { LiveEvents } from '../api/live-events';
import { queryClient } from '../api/query-client';
import { BottomBar } from './bottom-bar';
import classes from './frame.module.css';
import { LiveBar } from './live-bar';
import { Navigation } from './navigation';
import { PaletteHost } from './palette-host';
import { PageSkeleton } from './page-skeleton';

export function Frame() {
  const events = useMemo(() => new LiveEvents(queryClient), []);
  useEffect(() => events.open(), [events]);
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <Navigation />
      <div className={classes.column}>
        <LiveBar events={events} />
        <main id="content" className={classes.content} tabIndex={-1}>
          <Suspense fallback={<PageSkeleton />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <BottomBar />
      <PaletteHost />
    </div>
  );
}
