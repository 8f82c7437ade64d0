import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './api/api-problem';
import { liveEvents } from './api/live-events';
import { clustersQuery, keysQuery, modelsQuery, nodesQuery, overviewQuery, whoAmIQuery } from './api/queries';
import { queryClient } from './api/query-client';
import { CrashPage } from './layout/crash-page';
import { permits } from './api/use-permission';
import { Frame } from './layout/frame';
import { NotFoundPage } from './layout/not-found-page';
import { PageSkeleton } from './layout/page-skeleton';
import { parseSearch, stringifySearch, type PageSearch } from './layout/page-search';
import { safeNext, signInPath } from './api/sign-in-path';
import {
  accountQuery,
  auditFilter,
  auditQuery,
  extensionsQuery,
  sessionsQuery,
  usersQuery,
} from './features/settings/settings-queries';
import { usageSeriesQuery } from './features/usage/usage-query';
import { seriesRequestOf } from './features/usage/usage-range';

/**
 * For the loader of a route: asks for what its page shows, while the page's code is fetched and the frame is drawn. The page shows a failure,
 * because it asks again.
 */
function ask(...responses: readonly Promise<unknown>[]): void {
  for (const response of responses) response.catch(() => undefined);
}

/** The caller is known before a loader runs. */
const callerOf = (queries: QueryClient) => queries.getQueryData(whoAmIQuery.queryKey);

const root = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  validateSearch: (search): PageSearch => search as PageSearch,
  search: {
    middlewares: [
      // The cluster of the picker stays chosen from page to page; the picker itself unsets it.
      ({ search, next }) => {
        const target = next(search);
        return search.cluster === undefined || 'cluster' in target ? target : { ...target, cluster: search.cluster };
      },
    ],
  },
  component: Outlet,
  notFoundComponent: NotFoundPage,
});

/** Pages with navigation: for somebody who is signed in, with a password of their own. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
  async beforeLoad({ context, location }) {
    const me = await context.queryClient.query({ ...whoAmIQuery, staleTime: 'static' }).catch((error: unknown) => {
      if (ApiProblem.of(error).status === 401) throw redirect({ href: signInPath(location.href), replace: true });
      throw error;
    });
    if (me.user?.password_expires != null) throw redirect({ to: '/reset', replace: true });
    liveEvents.openFirst();
  },
});

const overview = createRoute({
  getParentRoute: () => frame,
  path: '/',
  loader: ({ context: { queryClient: queries } }) => ask(queries.query(overviewQuery), queries.query(nodesQuery)),
  component: lazyRouteComponent(() => import('./features/overview/overview-page'), 'OverviewPage'),
});
const computers = createRoute({
  getParentRoute: () => frame,
  path: '/computers',
  loader: ({ context: { queryClient: queries } }) => ask(queries.query(clustersQuery), queries.query(nodesQuery)),
  component: lazyRouteComponent(() => import('./features/computers/computers-page'), 'ComputersPage'),
});
const computer = createRoute({
  getParentRoute: () => frame,
  path: '/computers/$nodeId',
  component: lazyRouteComponent(() => import('./features/computers/computer-page'), 'ComputerPage'),
});
const models = createRoute({
  getParentRoute: () => frame,
  path: '/models',
  loader: ({ context: { queryClient: queries } }) => ask(queries.query(nodesQuery), queries.query(modelsQuery)),
  component: lazyRouteComponent(() => import('./features/models/models-page'), 'ModelsPage'),
});
const keys = createRoute({
  getParentRoute: () => frame,
  path: '/keys',
  loader: ({ context: { queryClient: queries } }) => ask(queries.query(keysQuery), queries.query(clustersQuery)),
  component: lazyRouteComponent(() => import('./features/keys/keys-page'), 'KeysPage'),
});
const chat = createRoute({
  getParentRoute: () => frame,
  path: '/chat',
  loader: ({ context: { queryClient: queries } }) => ask(queries.query(modelsQuery), queries.query(nodesQuery)),
  component: lazyRouteComponent(() => import('./features/chat/chat-page'), 'ChatPage'),
});
const usage = createRoute({
  getParentRoute: () => frame,
  path: '/usage',
  loaderDeps: ({ search }) => seriesRequestOf(search),
  loader: ({ context: { queryClient: queries }, deps }) => ask(queries.query(usageSeriesQuery(deps))),
  component: lazyRouteComponent(() => import('./features/usage/usage-page'), 'UsagePage'),
});
const requests = createRoute({
  getParentRoute: () => frame,
  path: '/requests',
  component: lazyRouteComponent(() => import('./features/requests/requests-page'), 'RequestsPage'),
});
const request = createRoute({
  getParentRoute: () => frame,
  path: '/requests/$requestId',
  component: lazyRouteComponent(() => import('./features/requests/request-page'), 'RequestPage'),
});

const settings = createRoute({
  getParentRoute: () => frame,
  path: '/settings',
  component: lazyRouteComponent(() => import('./features/settings/settings-page'), 'SettingsPage'),
});
const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/account', replace: true });
  },
});
const accountSettings = createRoute({
  getParentRoute: () => settings,
  path: '/account',
  loader({ context: { queryClient: queries } }) {
    ask(queries.query(accountQuery));
    if (permits(callerOf(queries), 'account:write')) ask(queries.query(extensionsQuery));
  },
  component: lazyRouteComponent(() => import('./features/settings/account-settings'), 'AccountSettings'),
});
const memberSettings = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  loader: ({ context: { queryClient: queries } }) => ask(queries.query(usersQuery)),
  component: lazyRouteComponent(() => import('./features/settings/member-settings'), 'MemberSettings'),
});
const sessionSettings = createRoute({
  getParentRoute: () => settings,
  path: '/sessions',
  loader: ({ context: { queryClient: queries } }) => ask(queries.query(sessionsQuery)),
  component: lazyRouteComponent(() => import('./features/settings/session-settings'), 'SessionSettings'),
});
const limitSettings = createRoute({
  getParentRoute: () => settings,
  path: '/limits',
  loader: ({ context: { queryClient: queries } }) => ask(queries.query(accountQuery)),
  component: lazyRouteComponent(() => import('./features/settings/limit-settings'), 'LimitSettings'),
});
const auditTrail = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  loaderDeps: ({ search }) => ({ filter: auditFilter(search) }),
  loader({ context: { queryClient: queries }, deps }) {
    if (permits(callerOf(queries), 'audit:read')) ask(queries.infiniteQuery(auditQuery(deps.filter)));
  },
  component: lazyRouteComponent(() => import('./features/settings/audit-trail'), 'AuditTrail'),
});

/** Any other path: a page as well, so that the navigation is beside it. */
const notFound = createRoute({
  getParentRoute: () => frame,
  path: '$',
  component: NotFoundPage,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  /** Somebody who is signed in goes on, unless there is a reason to sign in again. */
  async beforeLoad({ context, search }) {
    if (search.reason !== undefined) return;
    const me = await context.queryClient.query({ ...whoAmIQuery, staleTime: 0, retry: false }).catch(() => undefined);
    if (me !== undefined) throw redirect({ href: safeNext(search.next), replace: true });
  },
  component: lazyRouteComponent(() => import('./features/access/sign-in-page'), 'SignInPage'),
});
const start = createRoute({
  getParentRoute: () => root,
  path: '/start',
  component: lazyRouteComponent(() => import('./features/access/start-page'), 'StartPage'),
});
const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite',
  component: lazyRouteComponent(() => import('./features/access/invite-page'), 'InvitePage'),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(() => import('./features/access/reset-page'), 'ResetPage'),
});
const device = createRoute({
  getParentRoute: () => root,
  path: '/device',
  component: lazyRouteComponent(() => import('./features/access/device-page'), 'DevicePage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    frame.addChildren([
      overview,
      computers,
      computer,
      models,
      keys,
      chat,
      usage,
      requests,
      request,
      settings.addChildren([
        settingsIndex,
        accountSettings,
        memberSettings,
        sessionSettings,
        limitSettings,
        auditTrail,
      ]),
      notFound,
    ]),
    signIn,
    start,
    invite,
    reset,
    device,
  ]),
  basepath: '/console',
  context: { queryClient },
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: PageSkeleton,
  defaultPendingMs: 150,
  // Pages have placeholders where it has its own, so it may be short.
  defaultPendingMinMs: 0,
  defaultErrorComponent: CrashPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
});

/** Starts fetching the code of the page of this address, instead of after the relay's response to who is signed in. */
export function fetchPageCode(): void {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  for (const { options } of routes) {
    const component: { preload?: () => Promise<void> | undefined } | undefined = options.component;
    // A failure is reported where the page is shown.
    component?.preload?.()?.catch(() => undefined);
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
