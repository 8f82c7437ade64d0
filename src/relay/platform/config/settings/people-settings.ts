/** Sign-up, sessions and device login (docs/reference/security.md#people). */
import { z } from 'zod';
import type { Setting } from '../../../../kernel/settings/setting.js';
import { integer, reloadable, setting } from './setting.js';

const DAY_MS = 86_400_000;

export const peopleSettings = {
  signUp: setting(
    'FERRY_SIGN_UP',
    z.enum(['open', 'invite', 'closed']),
    'invite',
    'Sign-up: `open` to everyone (each with an account of their own), by `invite`, or `closed`.',
    reloadable,
  ),
  inviteLifetimeMs: setting(
    'FERRY_INVITE_LIFETIME_MS',
    integer(60_000, 90 * DAY_MS),
    String(7 * DAY_MS),
    'Lifetime of an invite. It works once.',
    reloadable,
  ),
  sessionIdleMs: setting(
    'FERRY_SESSION_IDLE_MS',
    integer(60_000, 30 * DAY_MS),
    String(DAY_MS / 2),
    'A session that is unused for this long ends.',
  ),
  sessionLifetimeMs: setting(
    'FERRY_SESSION_LIFETIME_MS',
    integer(60_000, 90 * DAY_MS),
    String(14 * DAY_MS),
    'Absolute session lifetime.',
  ),
  recentSignInMs: setting(
    'FERRY_RECENT_SIGN_IN_MS',
    integer(10_000, DAY_MS),
    '900000',
    'Time after a sign-in within which its session may make invites and join tokens, approve nodes and device logins, reset passwords and choose a first one.',
  ),
  cliTokenLifetimeMs: setting(
    'FERRY_CLI_TOKEN_LIFETIME_MS',
    integer(60_000, 3_650 * DAY_MS),
    String(90 * DAY_MS),
    'Lifetime of a CLI token from `ferry login`.',
    reloadable,
  ),
  deviceLoginLifetimeMs: setting(
    'FERRY_DEVICE_LOGIN_LIFETIME_MS',
    integer(10_000, 3_600_000),
    '600000',
    'Lifetime of a `ferry login` code.',
    reloadable,
  ),
  usersPerAccount: setting(
    'FERRY_USERS_PER_ACCOUNT',
    integer(1, 1_000_000),
    '1000',
    'Users of one account.',
    reloadable,
  ),
} as const satisfies Record<string, Setting<unknown>>;
