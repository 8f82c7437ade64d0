import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { allOf, api, bodyOf } from '../../api/client';
import type { operations, Schemas } from '../../api/management-api.types';
import type { Role } from '../../api/roles';

export type User = Schemas['User'];
export type Invite = Schemas['Invite'];
export type Session = Schemas['Session'];
export type CliToken = Schemas['CliToken'];
export type Extension = Schemas['Extension'];
export type AuditEvent = Schemas['AuditEvent'];
export type AuditFilter = Omit<
  NonNullable<operations['listAudit']['parameters']['query']>,
  'limit' | 'cursor' | 'format'
>;

/** @param search as in the URL of the audit trail */
export const auditFilter = ({ action = '', actor = '' }: Pick<AuditFilter, 'action' | 'actor'>): AuditFilter => ({
  ...(action !== '' && { action }),
  ...(actor !== '' && { actor }),
});

export const accountQuery = queryOptions({
  queryKey: ['account', 'record'],
  queryFn: () => bodyOf(api.GET('/api/account')),
});

/** A change of the account is one of its extensions, too. */
export const extensionsQuery = queryOptions({
  queryKey: ['account', 'extensions'],
  queryFn: async () => (await bodyOf(api.GET('/api/extensions'))).data,
});

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: () => allOf((query) => api.GET('/api/users', { params: { query } })),
});

export const invitesQuery = queryOptions({
  queryKey: ['invites'],
  queryFn: () => allOf((query) => api.GET('/api/invites', { params: { query } })),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await bodyOf(api.GET('/api/sessions'))).data,
});

/** Of all users; for owners. The feed tells of them with the sessions. */
export const cliTokensQuery = queryOptions({
  queryKey: ['sessions', 'cli-tokens'],
  queryFn: () => allOf((query) => api.GET('/api/cli-tokens', { params: { query } })),
});

interface AuditPage {
  readonly data: readonly AuditEvent[];
  readonly next_cursor: string | null;
}

const AUDIT_PAGE_ITEMS = 100;

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: async ({ pageParam }) => {
      const page = await bodyOf(
        api.GET('/api/audit', {
          params: {
            query: { ...filter, limit: AUDIT_PAGE_ITEMS, ...(pageParam !== undefined && { cursor: pageParam }) },
          },
        }),
      );
      // The exports of this route are texts; without `format` it is JSON.
      return page as AuditPage;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });

export const roleNames: Readonly<Record<Role, string>> = { member: 'Member', admin: 'Admin', owner: 'Owner' };

export const roleMeanings: Readonly<Record<Role, string>> = {
  member: 'Can create keys, chat, and view everything.',
  admin: 'Can also manage computers, models and people, and view the audit trail.',
  owner: 'Can also rename the account and add owners.',
};
