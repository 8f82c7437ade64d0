import http, { type IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { setRemainingRequests } from '../fast-path/remaining-requests.js';
import { requestsUpgradedAt } from '../fast-path/upgradable-request.js';
import { respondToClientError } from './client-error.js';
import { pathOf } from '../request-path.js';
import { createRequestListener, type RequestListenerOptions } from './request-listener.js';

export interface HttpServerOptions extends RequestListenerOptions {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly connectionsCheckingIntervalMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly maxConnections: number;
  readonly maxRequestsPerSocket: number;
  /** The only path whose requests may leave HTTP; on any other an `Upgrade` header is ignored. */
  readonly upgradePath: string;
  /** `FERRY_FAST_PATH`: off, only documented APIs of Node are used (docs/internals/fast-path.md). */
  readonly fastPath: boolean;
}

const MAX_HEADER_BYTES = 16_384;
/** Buffer of a socket, held for every client that does not read, beside its stream window. The default of Node 24 is 64 KiB. */
const SOCKET_BUFFER_BYTES = 16_384;

/** The relay's server with the limits of docs/reference/limits.md#bodies-and-timeouts; HTTP/1.1 only, TLS and HTTP/2 end at the proxy. */
export function createHttpServer(application: RequestListener, options: HttpServerOptions): Server {
  const { fastPath, maxRequestsPerSocket } = options;
  const listener = createRequestListener(application, {
    ...options,
    ...(fastPath && { onArrival: (req, res) => setRemainingRequests(req, res, maxRequestsPerSocket) }),
  });
  const server = http.createServer(
    {
      headersTimeout: options.headersTimeoutMs,
      requestTimeout: options.requestTimeoutMs,
      connectionsCheckingInterval: options.connectionsCheckingIntervalMs,
      keepAliveTimeout: options.keepAliveTimeoutMs,
      keepAlive: true,
      maxHeaderSize: MAX_HEADER_BYTES,
      noDelay: true,
      highWaterMark: SOCKET_BUFFER_BYTES,
      ...(fastPath ? { IncomingMessage: requestsUpgradedAt(options.upgradePath) } : upgradesAt(options.upgradePath)),
      // The request listener refuses it: Node's own refusal has neither a body nor a request id.
      requireHostHeader: false,
    },
    listener,
  );
  server.maxConnections = options.maxConnections;
  server.maxRequestsPerSocket = maxRequestsPerSocket;
  // Node silently drops headers beyond a maximum, perhaps Authorization. The size limit bounds them anyway.
  server.maxHeadersCount = 0;
  // Node would send `100 Continue`, or 417, before the credential is checked. The body reader sends it.
  server.on('checkContinue', listener).on('checkExpectation', listener);
  server.on('clientError', respondToClientError);
  return server;
}

/** Documented from Node 24.9 on; earlier versions ignore it and refuse `Upgrade` on any other path. */
const upgradesAt = (upgradePath: string): ServerOptions => {
  const shouldUpgradeCallback = (req: IncomingMessage): boolean => pathOf(req.url ?? '') === upgradePath;
  return { shouldUpgradeCallback } as ServerOptions;
};
