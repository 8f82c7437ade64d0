/** Who may get in, and how long somebody who is in stays in (docs/reference/security.md#people). */
import { z } from 'zod';
import type { Setting } from '../../../../kernel/settings.js';
import { integer, setting } from './setting.js';

const DAY_MS = 86_400_000;

export const peopleSettings = {
  signUp: setting(
    'FERRY_SIGN_UP',
    z.enum(['open', 'invite', 'closed']),
    'invite',
    'Who may join: `open` lets everybody make an account of their own, `invite` only those whom an admin gave a link, `closed` nobody.',
  ),
  inviteLifetimeMs: setting(
    'FERRY_INVITE_LIFETIME_MS',
    integer(60_000, 90 * DAY_MS),
    String(7 * DAY_MS),
    'An invite works once, until then.',
  ),
  sessionIdleMs: setting(
    'FERRY_SESSION_IDLE_MS',
    integer(60_000, 30 * DAY_MS),
    String(DAY_MS / 2),
    'A session that is not used for this long ends.',
  ),
  sessionLifetimeMs: setting(
    'FERRY_SESSION_LIFETIME_MS',
    integer(60_000, 90 * DAY_MS),
    String(14 * DAY_MS),
    'Oldest a session may grow, however much it is used.',
  ),
  recentSignInMs: setting(
    'FERRY_RECENT_SIGN_IN_MS',
    integer(10_000, DAY_MS),
    '900000',
    'What lets a new machine or command line in needs a session whose sign-in is no older.',
  ),
  cliTokenLifetimeMs: setting(
    'FERRY_CLI_TOKEN_LIFETIME_MS',
    integer(60_000, 3_650 * DAY_MS),
    String(90 * DAY_MS),
    'A command line that was signed in with `ferry login` stays so for this long.',
  ),
  deviceLoginLifetimeMs: setting(
    'FERRY_DEVICE_LOGIN_LIFETIME_MS',
    integer(10_000, 3_600_000),
    '600000',
    'A code of `ferry login` must be approved by then.',
  ),
  usersPerAccount: setting('FERRY_USERS_PER_ACCOUNT', integer(1, 1_000_000), '1000', 'People of one account.'),
} as const satisfies Record<string, Setting<unknown>>;
