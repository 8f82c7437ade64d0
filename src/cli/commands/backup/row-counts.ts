import { formatCount } from '../../core/output/quantities.js';

/** The tables that people know, in their words. */
const named: readonly (readonly [table: string, one: string, several: string])[] = [
  ['account', 'account', 'accounts'],
  ['user', 'user', 'users'],
  ['api_key', 'API key', 'API keys'],
  ['node', 'node', 'nodes'],
  ['request_log', 'logged request', 'logged requests'],
  ['audit_event', 'audit event', 'audit events'],
];

/** `1 account, 2 users, …`. */
export const describeCounts = (counts: Readonly<Record<string, number>>): string =>
  named
    .map(([table, one, several]) => {
      const count = counts[table] ?? 0;
      return `${formatCount(count)} ${count === 1 ? one : several}`;
    })
    .join(', ');
