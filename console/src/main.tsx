import './mantine-styles';
import './global.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onSignedOut } from './api/client';
import { whoAmIQuery } from './api/queries';
import { queryClient } from './api/query-client';
import { Notices } from './layout/notices';
import { fetchPageCode, router } from './router';
import { signInPath } from './api/sign-in-path';
import { theme } from './theme';

// A session can end at any time: signed out elsewhere, expired, removed from the account.
onSignedOut(() => {
  const { href, pathname } = router.state.location;
  // It says itself what is wrong with its link, and how to sign in without one.
  if (pathname === '/start') return;
  // On a first visit there was none.
  const hadSession = queryClient.getQueryData(whoAmIQuery.queryKey) !== undefined;
  queryClient.clear();
  if (pathname === '/sign-in') return;
  void router.navigate({ href: signInPath(href, hadSession ? 'session_ended' : undefined), replace: true });
});

const container = document.getElementById('root');
if (container === null) throw new Error('index.html has no #root');

fetchPageCode();
createRoot(container).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Notices />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
