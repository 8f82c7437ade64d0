/** Pages of the website. */
export const framedPages = [
  '/',
  '/computers',
  '/models',
  '/keys',
  '/chat',
  '/usage',
  '/requests',
  '/settings/account',
  '/settings/members',
  '/settings/sessions',
  '/settings/limits',
  '/settings/audit',
  '/no-such-page',
] as const;

/** Shown without a session, for example after following an expired link. */
export const accessPages = ['/sign-in', '/start', '/invite', '/reset', '/device'] as const;

/** File name for a page. */
export const fileNameOf = (path: string): string => path.replace(/^\/+/, '').replace(/[^\w-]+/g, '-') || 'overview';
