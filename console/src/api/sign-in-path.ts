/** Pages that are shown without a session. */
const accessPages = ['/sign-in', '/start', '/invite', '/reset', '/device'];

/** Codes of the relay, of which the sign-in page explains these. */
export type SignInReason = 'session_ended' | 'sign_in_refused' | 'recent_sign_in_needed';

/**
 * Where a page without a session leads, and comes back from.
 * @param href of the page, without the base path
 * @param reason why the session is gone, where that is known
 */
export function signInPath(href: string, reason?: SignInReason): string {
  const page = safeNext(href);
  const isAccessPage = accessPages.some((path) => page === path || page.startsWith(`${path}?`));
  // `/device` needs a session, too: it asks who approves.
  const isNamed = page !== '/' && (!isAccessPage || page.startsWith('/device'));
  const search = new URLSearchParams({ ...(isNamed && { next: page }), ...(reason && { reason }) }).toString();
  return search === '' ? '/sign-in' : `/sign-in?${search}`;
}

/**
 * A page of this website, or `/`: a link in an e-mail must not make the sign-in page send people to another site.
 * @param next as it stands in the URL
 */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])/.test(next)) return '/';
  const url = new URL(next, 'http://ferry.invalid');
  return url.host === 'ferry.invalid' ? `${url.pathname}${url.search}${url.hash}` : '/';
}
