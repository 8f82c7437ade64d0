import http, { type RequestListener, type Server } from 'node:http';
import { answerClientError } from './client-error.js';
import { createRequestListener, type RequestListenerOptions } from './request-listener.js';
import { requestsUpgradedAt } from './upgradable-request.js';

export interface HttpServerOptions extends RequestListenerOptions {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly connectionsCheckingIntervalMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly maxConnections: number;
  readonly maxRequestsPerSocket: number;
  /** The only path whose requests may leave HTTP; on any other an `Upgrade` header means nothing. */
  readonly upgradePath: string;
}

const MAX_HEADER_BYTES = 16_384;
/** What a socket takes without asking to wait; a client that does not read holds this beside its window. Node 24 would take 64 KiB. */
const SOCKET_BUFFER_BYTES = 16_384;

/** The relay's server with the limits of docs/reference/limits.md#bodies-and-timeouts; HTTP/1.1 only, TLS and HTTP/2 end at the proxy. */
export function createHttpServer(application: RequestListener, options: HttpServerOptions): Server {
  const listener = createRequestListener(application, options);
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
      IncomingMessage: requestsUpgradedAt(options.upgradePath),
      // Node's own refusal has neither a body nor a request id; the listener refuses it.
      requireHostHeader: false,
    },
    listener,
  );
  server.maxConnections = options.maxConnections;
  server.maxRequestsPerSocket = options.maxRequestsPerSocket;
  // Node would silently drop the headers beyond its cap, a late Authorization among them. The size limit bounds them anyway.
  server.maxHeadersCount = 0;
  // Node would send `100 Continue`, or 417, before anybody knows who asks. The body reader says when to go on.
  server.on('checkContinue', listener).on('checkExpectation', listener);
  server.on('clientError', answerClientError);
  return server;
}
