/** What the pages on the way in ask. A 401 of these is about what was typed, not about a session. */
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Schemas } from '../../api/management-api.types';

export type WhoAmI = Schemas['WhoAmI'];
export type Device = Schemas['Device'];

/** Asked once: none of these responses changes while the page is open, and some may be asked only a few times. */
const once = { staleTime: Infinity, retry: false, refetchOnReconnect: false } as const;

export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => bodyOf(api.GET('/api/sign-in/methods')),
  ...once,
});

/** Uses the link up: it is sent once, however often the page is drawn. */
export const signInByLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['console-link', token],
    queryFn: () => bodyOf(api.POST('/api/sign-in/link', { body: { token } })),
    ...once,
    gcTime: Infinity,
  });

export const invitePreviewQuery = (token: string) =>
  queryOptions({
    queryKey: ['invite-preview', token],
    queryFn: () => bodyOf(api.POST('/api/invites/show', { body: { token } })),
    ...once,
  });

/** A code can be looked up only a few times. */
export const deviceQuery = (userCode: string) =>
  queryOptions({
    queryKey: ['device', userCode],
    queryFn: () => bodyOf(api.GET('/api/devices/{userCode}', { params: { path: { userCode } } })),
    ...once,
  });
