/** Where and how the relay listens, and what it says about itself. */
import { z } from 'zod';
import type { Setting } from '../../../../kernel/settings.js';
import { addressRanges, integer, setting, text } from './setting.js';

export const serverSettings = {
  serviceName: setting(
    'FERRY_SERVICE_NAME',
    z.string().regex(/^[A-Za-z][A-Za-z0-9 _-]{0,40}$/),
    'ferry',
    'Name of the service; `owned_by` in the inventory is its lower-case form.',
  ),
  host: setting('FERRY_HOST', text, '127.0.0.1', 'Address to listen on.'),
  port: setting('FERRY_PORT', integer(0, 65_535), '8787', 'Port to listen on; 0 takes a free one.'),
  baseUrl: setting(
    'FERRY_BASE_URL',
    z.url({ protocol: /^https?$/ }).optional(),
    undefined,
    'Public address of the relay, without `/v1`. Default: what it listens on. Node signatures cover its host.',
  ),
  trustedProxies: setting(
    'FERRY_TRUSTED_PROXIES',
    addressRanges,
    '',
    'Whose `X-Forwarded-For` is believed: addresses and CIDR ranges, separated by commas.',
  ),
  logLevel: setting(
    'FERRY_LOG_LEVEL',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'Least severe level that is logged, as JSON lines on stderr.',
  ),
  headersTimeoutMs: setting(
    'FERRY_HEADERS_TIMEOUT_MS',
    integer(1_000, 600_000),
    '15000',
    'A client must have sent its headers by then.',
  ),
  requestTimeoutMs: setting(
    'FERRY_REQUEST_TIMEOUT_MS',
    integer(1_000, 3_600_000),
    '300000',
    'A client must have sent its whole request by then.',
  ),
  connectionsCheckingIntervalMs: setting(
    'FERRY_CONNECTIONS_CHECKING_INTERVAL_MS',
    integer(100, 60_000),
    '5000',
    'How often the two timeouts above are looked at.',
  ),
  keepAliveTimeoutMs: setting(
    'FERRY_KEEP_ALIVE_TIMEOUT_MS',
    integer(1_000, 600_000),
    '65000',
    'Idle client connections live this long; keep it above the load balancer.',
  ),
  maxConnections: setting('FERRY_MAX_CONNECTIONS', integer(1, 1_000_000), '20000', 'Client and node sockets together.'),
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
    'More header lines than this are answered with 431.',
  ),
  drainTimeoutMs: setting(
    'FERRY_DRAIN_TIMEOUT_MS',
    integer(0, 3_600_000),
    '30000',
    'Running streams may finish for this long after SIGTERM.',
  ),
  drainNoticeMs: setting(
    'FERRY_DRAIN_NOTICE_MS',
    integer(0, 600_000),
    '0',
    'Between readiness turning false and the listener closing; set it to what your load balancer needs.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
