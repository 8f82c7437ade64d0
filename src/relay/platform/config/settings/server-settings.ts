/** Listener, logging and shutdown. */
import { z } from 'zod';
import type { Setting } from '../../../../kernel/settings/setting.js';
import { addressRanges, integer, reloadable, setting, text } from './setting.js';

export const serverSettings = {
  serviceName: setting(
    'FERRY_SERVICE_NAME',
    z.string().regex(/^[A-Za-z][A-Za-z0-9 _-]{0,40}$/),
    'ferry',
    'Name of the service. Its lower-case form is `owned_by` in the model list.',
  ),
  host: setting('FERRY_HOST', text, '127.0.0.1', 'Address to listen on.'),
  port: setting('FERRY_PORT', integer(0, 65_535), '8787', 'Port to listen on; 0 takes a free one.'),
  baseUrl: setting(
    'FERRY_BASE_URL',
    z.url({ protocol: /^https?$/ }).optional(),
    undefined,
    'Public address of the relay, without `/v1`. Default: the address it listens on. Node signatures cover its host.',
  ),
  trustedProxies: setting(
    'FERRY_TRUSTED_PROXIES',
    addressRanges,
    '',
    'Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted: addresses and CIDR ranges, comma-separated.',
  ),
  logLevel: setting(
    'FERRY_LOG_LEVEL',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'Minimum severity of log lines (on stderr: JSON, text on a terminal).',
    reloadable,
  ),
  logSuccessPercent: setting(
    'FERRY_LOG_SUCCESS_PERCENT',
    integer(0, 100),
    '100',
    'Share of the successful requests that get a line in the log. Requests that fail, are rejected or cancelled always do.',
    reloadable,
  ),
  metricsPort: setting(
    'FERRY_METRICS_PORT',
    integer(0, 65_535).optional(),
    undefined,
    'Port of `GET /metrics` for Prometheus; 0 takes a free one. Not set: no metrics are served.',
  ),
  metricsHost: setting(
    'FERRY_METRICS_HOST',
    text,
    '127.0.0.1',
    'Address that `/metrics` listens on. It asks for no credential.',
  ),
  headersTimeoutMs: setting(
    'FERRY_HEADERS_TIMEOUT_MS',
    integer(1_000, 600_000),
    '15000',
    'Limit for receiving the headers of a request.',
  ),
  requestTimeoutMs: setting(
    'FERRY_REQUEST_TIMEOUT_MS',
    integer(1_000, 3_600_000),
    '300000',
    'Limit for receiving a whole request.',
  ),
  connectionsCheckingIntervalMs: setting(
    'FERRY_CONNECTIONS_CHECKING_INTERVAL_MS',
    integer(100, 60_000),
    '5000',
    'Interval at which the two timeouts above are enforced.',
  ),
  keepAliveTimeoutMs: setting(
    'FERRY_KEEP_ALIVE_TIMEOUT_MS',
    integer(1_000, 600_000),
    '65000',
    'Lifetime of an idle client connection. Keep it above the idle timeout of a load balancer in front.',
  ),
  workers: setting(
    'FERRY_WORKERS',
    z.union([z.literal('auto'), integer(1, 64)]),
    '1',
    'Processes that serve the relay on this computer, each on a core of its own (docs/operate/scaling.md#workers). `auto`: one for each core. More than one need Postgres. Limits of connections, bodies and memory are those of each.',
  ),
  maxConnections: setting(
    'FERRY_MAX_CONNECTIONS',
    integer(1, 1_000_000),
    '20000',
    'Open sockets, clients and nodes together.',
  ),
  maxRequestsPerSocket: setting(
    'FERRY_MAX_REQUESTS_PER_SOCKET',
    integer(1, 1_000_000),
    '1000',
    'Requests on one keep-alive connection.',
  ),
  maxHeaderPairs: setting(
    'FERRY_MAX_HEADER_PAIRS',
    integer(10, 1_000),
    '100',
    'Header lines of one request. More are answered with 431.',
  ),
  overloadLoopDelayMs: setting(
    'FERRY_OVERLOAD_LOOP_DELAY_MS',
    integer(0, 60_000),
    '250',
    'While the relay uses all of its core for 0.75 s and turns of its event loop or most responses are delayed by more than this, new inference requests get 503. 0: never.',
  ),
  overloadHeapPercent: setting(
    'FERRY_OVERLOAD_HEAP_PERCENT',
    integer(0, 100),
    '80',
    'The same while more than this share of the JavaScript heap is in use. 0: never.',
  ),
  fastPath: setting(
    'FERRY_FAST_PATH',
    z.enum(['on', 'off']),
    'on',
    'Shortcuts through internals of Node that make the relay faster. `off` uses documented APIs only.',
  ),
  drainTimeoutMs: setting(
    'FERRY_DRAIN_TIMEOUT_MS',
    integer(0, 3_600_000),
    '30000',
    'Time that running streams get after SIGTERM.',
    reloadable,
  ),
  drainNoticeMs: setting(
    'FERRY_DRAIN_NOTICE_MS',
    integer(0, 600_000),
    '0',
    'Delay between `/readyz` turning 503 and the listener closing. Set it to what the load balancer needs.',
    reloadable,
  ),
} as const satisfies Record<string, Setting<unknown>>;
