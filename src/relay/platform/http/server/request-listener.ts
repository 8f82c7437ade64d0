/** Checks and prepares every request before the framework sees it (docs/reference/security.md#headers). */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import type { RequestId } from '../../../../kernel/ids.js';
import { serializerFor } from '../errors/error-family.js';
import { routeNotFound } from '../errors/route-not-found.js';
import { headerValues } from '../header-values.js';
import { isProbe } from '../probe.js';
import { attachContext, createContext, type LingerLimits, type RequestContext } from '../request-context.js';
import { assignRequestId, requestIdOf, setRequestIdHeaders } from '../request-id.js';
import { sendCompleteResponse } from '../send-response.js';
import { uploadPending } from '../lingering-close.js';
import { dequeueResponse, enqueueResponse } from './connection-responses.js';
import type { OpenResponses } from './open-responses.js';
import { processMeters } from '../../metrics/relay-meters.js';

/**
 * Any web page with a key may use inference. Bearer tokens only, so no credentials of the browser are involved
 * (docs/reference/api-behaviour.md#cors).
 */
const EXPOSED =
  'x-request-id, request-id, retry-after, x-should-retry, x-ferry-reason, x-ferry-translation, x-ferry-model, x-ferry-node, x-ferry-queue-ms, x-ferry-attempts, www-authenticate';
const PREFLIGHT_SECONDS = '86400';

/** Adds the CORS headers of `/v1`, and answers preflights, which carry no credential. True when the request is answered. */
function respondToCors(req: IncomingMessage, res: ServerResponse): boolean {
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

export interface RequestListenerOptions {
  readonly maxHeaderPairs: number;
  readonly linger: LingerLimits;
  /** Names this replica in the ids of its requests; absent: all random. */
  readonly createRequestId?: () => RequestId;
  /** True once the relay stops: further requests on open connections are refused. */
  readonly closing?: () => boolean;
  readonly responses?: OpenResponses;
  /** True when the handler of the request writes its id with all other headers. Absent: the id is set before. */
  readonly writesRequestId?: (req: IncomingMessage) => boolean;
  /** A request has arrived; it may still wait for those before it. */
  readonly onArrival?: (req: IncomingMessage, res: ServerResponse) => void;
  /** The response is over, finished or not. */
  readonly onOver?: (req: IncomingMessage, res: ServerResponse, context: RequestContext) => void;
}

export function createRequestListener(application: RequestListener, options: RequestListenerOptions): RequestListener {
  const { maxHeaderPairs, linger, createRequestId, closing, responses, writesRequestId, onArrival, onOver } = options;
  const start: RequestListener = (req, res) => {
    const context = createContext(assignRequestId(res, createRequestId), linger, req.socket.bytesWritten);
    context.awaitsContinue = expectsContinue(req);
    attachContext(req, context);
    if (writesRequestId?.(req) !== true) setRequestIdHeaders(res);
    // Sockets break at any time; without a listener the error would end the process.
    res.on('error', ignore);
    req.on('error', ignore);
    responses?.opened();
    // Not `once`, which allocates a wrapper: a response closes once anyway.
    res.on('close', () => {
      dequeueResponse(req.socket, res);
      responses?.closed();
      processMeters.requestOver(req, res, context);
      onOver?.(req, res, context);
    });

    const refusal = refusalOf(req, maxHeaderPairs);
    if (refusal !== undefined) {
      refuse(req, res, refusal);
      return;
    }
    if (closing?.() === true) {
      res.setHeader('connection', 'close');
      // The first request of a connection was sent before the relay could tell its client of the end.
      if (!isProbe(req) && req.socket.bytesWritten > 0) {
        refuse(req, res, new FerryError('draining'));
        return;
      }
    }
    // These methods have no body here; Node would read and discard all of it.
    if (isBodyless(req.method) && uploadPending(req)) res.setHeader('connection', 'close');
    if (!respondToCors(req, res)) application(req, res);
  };
  return (req, res) => {
    onArrival?.(req, res);
    const ahead = enqueueResponse(req.socket, res);
    if (res.socket !== null || ahead === undefined) {
      start(req, res);
      return;
    }
    // A pipelined request starts after the previous response: until then a disconnect would not be noticed.
    ahead.on('close', () => {
      if (res.socket !== null) start(req, res);
    });
  };
}

/** Refuses requests whose length or destination a proxy may interpret differently (request smuggling). */
function refusalOf(req: IncomingMessage, maxHeaderPairs: number): FerryError | undefined {
  if (req.rawHeaders.length / 2 > maxHeaderPairs) {
    return new FerryError('invalid_request', `The request has more than ${maxHeaderPairs} headers.`, { status: 431 });
  }
  const hosts = headerValues(req, 'host').length;
  if (hosts > 1) return new FerryError('invalid_request', 'The request has more than one Host header.');
  if (hosts === 0 && req.httpVersion === '1.1') {
    return new FerryError('invalid_request', 'The request has no Host header, which HTTP/1.1 requires.');
  }
  // The following bytes are for another server and must not be read as the next request.
  if (req.method === 'CONNECT') return routeNotFound(req.method, req.url ?? '');
  return undefined;
}

function refuse(req: IncomingMessage, res: ServerResponse, error: FerryError): void {
  const { status, headers, body } = serializerFor(req.url ?? '')(error, requestIdOf(res));
  sendCompleteResponse(res, { status, body, headers: { ...headers, connection: 'close' } });
}

const isBodyless = (method: string | undefined): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

const expectsContinue = (req: IncomingMessage): boolean =>
  req.httpVersion === '1.1' && req.headers.expect?.toLowerCase() === '100-continue';

const ignore = (): void => undefined;
