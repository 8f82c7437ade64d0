/** Typed requests to `/api`. Every failure is thrown as an `ApiProblem`. */
import createClient, { type Middleware } from 'openapi-fetch';
import { ApiProblem } from './api-problem';
import type { paths } from './management-api.types';

type SignedOutListener = () => void;
const signedOutListeners = new Set<SignedOutListener>();

/** Called when a request was refused because the session has ended. Returns what ends the subscription. */
export function onSignedOut(listener: SignedOutListener): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

/** Tells those who subscribed: the session has ended. */
export function announceSignedOut(): void {
  for (const listener of signedOutListeners) listener();
}

/** Routes that answer 401 for a wrong password or a used link: the session is not what they refuse. */
const signInRoutes = ['/api/sign-in', '/api/sign-up', '/api/password', '/api/invites/accept'];

const isSignInRoute = (url: string): boolean => {
  const { pathname } = new URL(url);
  return signInRoutes.some((route) => pathname === route || pathname.startsWith(`${route}/`));
};

const conventions: Middleware = {
  onRequest({ request }) {
    // The relay takes a session's changes only as JSON, which no form of another site can send; also those without a body.
    if (request.method !== 'GET' && !request.headers.has('content-type')) {
      request.headers.set('content-type', 'application/json');
    }
    return request;
  },
  async onResponse({ request, response }) {
    if (response.ok) return;
    if (response.status === 401 && !isSignInRoute(request.url)) announceSignedOut();
    throw await ApiProblem.from(response);
  },
  onError({ error }) {
    if (error instanceof DOMException && error.name === 'AbortError') return error;
    return new ApiProblem(0, 'network', 'The relay cannot be reached.', null, null, { cause: error });
  },
};

export const api = createClient<paths>({ baseUrl: globalThis.location.origin, credentials: 'same-origin' });
api.use(conventions);

/**
 * The body of a response; failures were thrown before.
 * @example const node = await bodyOf(api.GET('/api/nodes/{nodeId}', { params: { path: { nodeId }}}))
 */
export async function bodyOf<Body>(response: Promise<{ readonly data?: Body | undefined }>): Promise<Body> {
  const { data } = await response;
  return data as Body;
}

interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

/** Of one page; the most that the relay gives. */
const PAGE_ITEMS = 200;

/**
 * Every item of a list, page after page.
 * @example allOf((query) => api.GET('/api/nodes', { params: { query } }))
 */
export async function allOf<Item>(
  page: (query: { limit: number; cursor?: string }) => Promise<{ readonly data?: Page<Item> | undefined }>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined; ;) {
    const { data, next_cursor } = await bodyOf(page({ limit: PAGE_ITEMS, ...(cursor !== undefined && { cursor }) }));
    items.push(...data);
    if (next_cursor === null) return items;
    cursor = next_cursor;
  }
}
