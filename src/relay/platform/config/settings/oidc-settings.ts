/** Signing in through an OpenID provider; off without an issuer. */
import { z } from 'zod';
import type { Setting } from '../../../../kernel/settings.js';
import { optionalText, setting } from './setting.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const issuer = z
  .url({ protocol: /^https?$/ })
  .refine((url) => url.startsWith('https:') || LOOPBACK.has(new URL(url).hostname), 'must be https')
  .optional();

export const oidcSettings = {
  oidcIssuer: setting('FERRY_OIDC_ISSUER', issuer, undefined, 'OpenID provider that people may sign in with.'),
  oidcClientId: setting('FERRY_OIDC_CLIENT_ID', optionalText, undefined, 'What the provider calls this relay.'),
  oidcClientSecret: setting(
    'FERRY_OIDC_CLIENT_SECRET',
    optionalText,
    undefined,
    'Proves to the provider that this is the relay.',
    { secret: true },
  ),
  oidcEmailDomains: setting(
    'FERRY_OIDC_EMAIL_DOMAINS',
    z.string(),
    '',
    'Whoever the provider says has an e-mail address of these domains (separated by commas) becomes a member of the first account. Default: only those who are in the account already.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
