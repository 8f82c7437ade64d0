import { createClientWriter, type CreateClientWriter } from '../../../src/relay/platform/http/client-writer.js';
import { createChunkWriter } from '../../../src/relay/platform/http/fast-path/chunk-writer.js';
import type { HttpServerOptions } from '../../../src/relay/platform/http/server/create-http-server.js';

/**
 * The project `fast-path-off` repeats suites without the fast path (docs/internals/fast-path.md). Asked each time: the process of a worker
 * may run spec files of other projects before.
 */
const isFastPath = (): boolean => process.env['TEST_FAST_PATH'] !== 'off';

/** The writer that the relay would use. */
export const createWriter: CreateClientWriter = (...args) =>
  (isFastPath() ? createChunkWriter : createClientWriter)(...args);

/** Limits that no test reaches by accident. */
export const httpServerOptions: HttpServerOptions = {
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  connectionsCheckingIntervalMs: 1_000,
  keepAliveTimeoutMs: 5_000,
  maxConnections: 1_000,
  maxRequestsPerSocket: 1_000,
  maxHeaderPairs: 100,
  upgradePath: '/link',
  get fastPath() {
    return isFastPath();
  },
  linger: { ms: 200, bytes: 65_536 },
};
