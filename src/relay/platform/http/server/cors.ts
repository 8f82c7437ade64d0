import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Public inference is for any web page that has a key; bearer only, so no credentials of the browser are ever involved
 * (docs/reference/api-behaviour.md#cors).
 */
const EXPOSED =
  'x-request-id, request-id, retry-after, x-should-retry, x-ferry-reason, x-ferry-translation, x-ferry-model, x-ferry-node, x-ferry-queue-ms, x-ferry-attempts';
const PREFLIGHT_SECONDS = '86400';

/** Adds the CORS headers of `/v1`, and answers preflights, which carry no credential. True when the request is answered. */
export function answerCors(req: IncomingMessage, res: ServerResponse): boolean {
  const isPublic = req.url?.startsWith('/v1/') === true;
  if (!isPublic || req.headers.origin === undefined) return false;
  res.setHeader('access-control-allow-origin', '*');
  res.setHeader('access-control-expose-headers', EXPOSED);
  if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) return false;
  const requested = req.headers['access-control-request-headers'];
  res.writeHead(204, {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': requested ?? 'authorization, content-type, x-cluster-id',
    'access-control-max-age': PREFLIGHT_SECONDS,
    vary: 'access-control-request-headers',
  });
  res.end();
  return true;
}
