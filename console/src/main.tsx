import './mantine-styles';
import './global.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onSignedOut } from './api/client';
import { queryClient } from './api/query-client';
import { router } from './router';
import { signInPath } from './layout/sign-in-path';
import { theme } from './theme';

// A session can end at any time: signed out elsewhere, expired, removed from the account.
onSignedOut(() => {
  queryClient.clear();
  void router.navigate({ href: signInPath(router.state.location.href), replace: true });
});

const container = document.getElementById('root');
if (container === null) throw new Error('index.html has no #root');

createRoot(container).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Notifications position="bottom-right" limit={4} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
