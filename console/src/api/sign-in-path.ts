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
  // These need a session, too, and the sign-in page says what for.
  const isNamed = page !== '/' && (!isAccessPage || signInPurpose(page) !== undefined);
  const search = new URLSearchParams({ ...(isNamed && { next: page }), ...(reason && { reason }) }).toString();
  return search === '' ? '/sign-in' : `/sign-in?${search}`;
}

const purposes: Readonly<Record<string, string>> = {
  '/device': 'Sign in to approve a device',
  '/reset': 'Sign in with the temporary password',
};

/** What follows the sign-in, where the purpose alone does not say it. */
const nextSteps: Readonly<Record<string, string>> = {
  '/reset': 'It is the one that you were given, and works for an hour. On the next page you choose your own.',
};

/** What somebody signs in for, where the page does not say it itself. @param next as it stands in the URL */
export function signInPurpose(next: string | undefined): string | undefined {
  return ofPage(purposes, next);
}

/** @param next as above */
export const stepAfterSignIn = (next: string | undefined): string | undefined => ofPage(nextSteps, next);

function ofPage(texts: Readonly<Record<string, string>>, next: string | undefined): string | undefined {
  const [path = ''] = safeNext(next).split(/[?#]/);
  return Object.hasOwn(texts, path) ? texts[path] : undefined;
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
