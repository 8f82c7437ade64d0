import type { HttpServerOptions } from '../../../src/relay/platform/http/server/create-http-server.js';

/** Limits that no test runs into by accident. */
export const httpServerOptions: HttpServerOptions = {
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  connectionsCheckingIntervalMs: 1_000,
  keepAliveTimeoutMs: 5_000,
  maxConnections: 1_000,
  maxRequestsPerSocket: 1_000,
  maxHeaderPairs: 100,
  upgradePath: '/link',
  linger: { ms: 200, bytes: 65_536 },
};
