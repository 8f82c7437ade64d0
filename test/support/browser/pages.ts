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
] as const;

/** Shown without a session, as somebody finds them who follows a link that is no longer good. */
export const accessPages = ['/sign-in', '/start', '/invite', '/reset', '/device', '/no-such-page'] as const;

/** A file name for a page. */
export const fileNameOf = (path: string): string => path.replace(/^\/+/, '').replace(/[^\w-]+/g, '-') || 'overview';
