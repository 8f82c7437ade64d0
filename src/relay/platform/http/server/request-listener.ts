/**
 * What happens to every request before the framework sees it: the parts that Node leaves to the application
 * (docs/reference/security.md#headers).
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { serializerFor } from '../errors/error-family.js';
import { routeNotFound } from '../errors/route-not-found.js';
import { headerValues } from '../header-values.js';
import { isProbe } from '../probe.js';
import { attachContext, createContext, type LingerLimits, type RequestContext } from '../request-context.js';
import { assignRequestId } from '../request-id.js';
import { sendCompleteResponse } from '../send-response.js';
import { uploadPending } from '../lingering-close.js';
import { answerCors } from './cors.js';
import type { OpenResponses } from './open-responses.js';

export interface RequestListenerOptions {
  readonly maxHeaderPairs: number;
  readonly linger: LingerLimits;
  /** True once the relay stops: whoever still has a connection is told to go elsewhere. */
  readonly closing?: () => boolean;
  readonly responses?: OpenResponses;
  /** The response is over, finished or not. */
  readonly onOver?: (req: IncomingMessage, res: ServerResponse, context: RequestContext) => void;
}

export function createRequestListener(application: RequestListener, options: RequestListenerOptions): RequestListener {
  const { maxHeaderPairs, linger, closing, responses, onOver } = options;
  const listen: RequestListener = (req, res) => {
    // A pipelined request waits for its turn: until then nobody would notice that its client has left.
    if (res.socket === null) {
      res.once('socket', () => {
        listen(req, res);
      });
      return;
    }
    const context = createContext(assignRequestId(res), linger, res.socket.bytesWritten);
    context.awaitsContinue = expectsContinue(req);
    attachContext(req, context);
    // Sockets break at any time; without a listener the error would end the process.
    res.on('error', ignore);
    req.on('error', ignore);
    responses?.opened();
    // One listener, and not by `once`, which would wrap it: a response closes once.
    res.on('close', () => {
      responses?.closed();
      onOver?.(req, res, context);
    });

    const refusal = refusalOf(req, maxHeaderPairs);
    if (refusal !== undefined) {
      refuse(req, res, refusal);
      return;
    }
    if (closing?.() === true) {
      res.shouldKeepAlive = false;
      if (!isProbe(req)) {
        refuse(req, res, new FerryError('draining'));
        return;
      }
    }
    // Nobody reads a body here, and Node would throw it away to its end.
    if (isBodyless(req.method) && uploadPending(req)) res.shouldKeepAlive = false;
    if (!answerCors(req, res)) application(req, res);
  };
  return listen;
}

/** Requests about which we and whoever stands in between may disagree: where they end, or whom they are for. */
function refusalOf(req: IncomingMessage, maxHeaderPairs: number): FerryError | undefined {
  if (req.rawHeaders.length / 2 > maxHeaderPairs) {
    return new FerryError('invalid_request', `The request has more than ${maxHeaderPairs} headers.`, { status: 431 });
  }
  const hosts = headerValues(req, 'host').length;
  if (hosts > 1) return new FerryError('invalid_request', 'The request has more than one Host header.');
  if (hosts === 0 && req.httpVersion === '1.1') {
    return new FerryError('invalid_request', 'The request has no Host header, which HTTP/1.1 requires.');
  }
  // What follows it would be meant for somebody else, and must not be read as the next request.
  if (req.method === 'CONNECT') return routeNotFound(req.method, req.url ?? '');
  return undefined;
}

function refuse(req: IncomingMessage, res: ServerResponse, error: FerryError): void {
  const { status, headers, body } = serializerFor(req.url ?? '')(error, String(res.getHeader('x-request-id')));
  sendCompleteResponse(res, { status, body, headers: { ...headers, connection: 'close' } });
}

const isBodyless = (method: string | undefined): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

const expectsContinue = (req: IncomingMessage): boolean =>
  req.httpVersion === '1.1' && req.headers.expect?.toLowerCase() === '100-continue';

const ignore = (): void => undefined;
