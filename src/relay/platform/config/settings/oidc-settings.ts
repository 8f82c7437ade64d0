/** Signing in through an OpenID provider; off without an issuer. */
import { z } from 'zod';
import { isAccountId } from '../../../../kernel/ids.js';
import type { Setting } from '../../../../kernel/settings/setting.js';
import { optionalText, setting } from './setting.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const issuer = z
  .url({ protocol: /^https?$/ })
  .refine((url) => url.startsWith('https:') || LOOPBACK.has(new URL(url).hostname), 'must be https')
  .optional();

const account = z.string().refine(isAccountId, 'must be the id of an account, as `ferry accounts` shows it').optional();

export const oidcSettings = {
  oidcIssuer: setting(
    'FERRY_OIDC_ISSUER',
    issuer,
    undefined,
    'Issuer URL of the OpenID provider. Not set: no OpenID Connect.',
  ),
  oidcClientId: setting('FERRY_OIDC_CLIENT_ID', optionalText, undefined, 'Client id of this relay at the provider.'),
  oidcClientSecret: setting(
    'FERRY_OIDC_CLIENT_SECRET',
    optionalText,
    undefined,
    'Client secret of this relay at the provider.',
    { secret: true },
  ),
  oidcEmailDomains: setting(
    'FERRY_OIDC_EMAIL_DOMAINS',
    z.string(),
    '',
    'E-mail domains (comma-separated) whose verified users become members of the account of `FERRY_OIDC_ACCOUNT`. Empty: only existing users may sign in.',
  ),
  oidcAccount: setting(
    'FERRY_OIDC_ACCOUNT',
    account,
    undefined,
    'Id of the account that new users of the provider join (`ferry accounts`). Required with `FERRY_OIDC_EMAIL_DOMAINS`.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
