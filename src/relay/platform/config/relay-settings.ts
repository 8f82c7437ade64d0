/** Every setting of the relay (reliability §2.6). A limit or timeout carries its unit in its name. `ferry config` prints this table. */
import { z } from 'zod';
import type { LoadedSettings, Setting, SettingsOf } from '../../../kernel/settings.js';

const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const text = z.string().min(1);
const optionalText = z.string().min(1).optional();

const setting = <Value>(
  env: string,
  schema: z.ZodType<Value>,
  fallback: string | undefined,
  description: string,
  extra: { secret?: boolean } = {},
): Setting<Value> => ({ env, schema, description, ...extra, ...(fallback === undefined ? {} : { fallback }) });

const MEBIBYTE = 1_048_576;

export const relaySettings = {
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
  databaseUrl: setting('DATABASE_URL', optionalText, undefined, 'Postgres to use instead of the embedded database.', {
    secret: true,
  }),
  databaseQueryTimeoutMs: setting(
    'FERRY_DATABASE_QUERY_TIMEOUT_MS',
    integer(100, 600_000),
    '3000',
    'A query without an answer for this long is an error.',
  ),
  databaseConnectTimeoutMs: setting(
    'FERRY_DATABASE_CONNECT_TIMEOUT_MS',
    integer(100, 600_000),
    '10000',
    'Waiting for a database connection.',
  ),
  databasePoolSize: setting(
    'FERRY_DATABASE_POOL_SIZE',
    integer(1, 200),
    '10',
    'Connections to Postgres (the embedded database always has one).',
  ),
  secret: setting(
    'FERRY_SECRET',
    z.string().min(32, 'needs at least 32 characters').optional(),
    undefined,
    'Signs nonces and response hints. Generated beside the embedded database; required with DATABASE_URL.',
    { secret: true },
  ),
  bootstrapCredentialsFile: setting(
    'FERRY_BOOTSTRAP_CREDENTIALS_FILE',
    optionalText,
    undefined,
    'At every start this file is made to hold a working CLI token and API key; a first account is created for them if there is none.',
  ),
  logLevel: setting(
    'FERRY_LOG_LEVEL',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'Least severe level that is logged, as JSON lines on stderr.',
  ),

  bodyLimitBytes: setting(
    'FERRY_BODY_LIMIT_BYTES',
    integer(1_024, 64 * MEBIBYTE),
    '16777216',
    'Largest request body after transfer and content decoding (spec §8).',
  ),
  bodyInflateRatioLimit: setting(
    'FERRY_BODY_INFLATE_RATIO_LIMIT',
    integer(1, 10_000),
    '100',
    'Largest inflated-to-compressed ratio of a compressed body.',
  ),
  bodyDepthLimit: setting('FERRY_BODY_DEPTH_LIMIT', integer(8, 1_000), '64', 'Deepest JSON nesting.'),
  bodyTokenLimit: setting(
    'FERRY_BODY_TOKEN_LIMIT',
    integer(1_000, 100_000_000),
    '1000000',
    'Most structural JSON tokens.',
  ),
  bodyParseInlineBytes: setting(
    'FERRY_BODY_PARSE_INLINE_BYTES',
    integer(0, 64 * MEBIBYTE),
    '1048576',
    'Larger bodies are parsed in a worker thread.',
  ),
  bodiesInMemoryBytes: setting(
    'FERRY_BODIES_IN_MEMORY_BYTES',
    integer(MEBIBYTE, 1_024 * 1_024 * MEBIBYTE),
    '268435456',
    'All request bodies held at once by this relay.',
  ),
  bodiesInMemoryPerAccountBytes: setting(
    'FERRY_BODIES_IN_MEMORY_PER_ACCOUNT_BYTES',
    integer(MEBIBYTE, 1_024 * 1_024 * MEBIBYTE),
    '67108864',
    'All request bodies held at once for one account.',
  ),
  bodyLingerMs: setting(
    'FERRY_BODY_LINGER_MS',
    integer(0, 60_000),
    '1000',
    'How long a refused upload may go on before its socket is destroyed.',
  ),
  bodyLingerBytes: setting(
    'FERRY_BODY_LINGER_BYTES',
    integer(0, 64 * MEBIBYTE),
    '65536',
    'How much of a refused upload is read and thrown away.',
  ),
  uploadFloorBytesPerSecond: setting(
    'FERRY_UPLOAD_FLOOR_BYTES_PER_SECOND',
    integer(0, MEBIBYTE),
    '8192',
    'Uploads slower than this on average are closed; 0 turns it off.',
  ),
  uploadFloorWindowMs: setting(
    'FERRY_UPLOAD_FLOOR_WINDOW_MS',
    integer(1_000, 600_000),
    '30000',
    'Over which time the upload speed is averaged.',
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

  streamCommitMs: setting(
    'FERRY_STREAM_COMMIT_MS',
    integer(10, 600_000),
    '10000',
    'A silent streaming request gets its headers after this long; failures are in-stream errors from then on.',
  ),
  streamHeartbeatMs: setting(
    'FERRY_STREAM_HEARTBEAT_MS',
    integer(10, 600_000),
    '15000',
    'A keep-alive is written after this much silence.',
  ),
  slowClientTimeoutMs: setting(
    'FERRY_SLOW_CLIENT_TIMEOUT_MS',
    integer(100, 3_600_000),
    '60000',
    'A client that takes nothing for this long is cut off.',
  ),
  streamMaxAgeMs: setting(
    'FERRY_STREAM_MAX_AGE_MS',
    integer(1_000, 86_400_000),
    '3600000',
    'Oldest a stream may grow.',
  ),
  acceptTimeoutMs: setting(
    'FERRY_ACCEPT_TIMEOUT_MS',
    integer(100, 600_000),
    '10000',
    'A node must have acknowledged a request by then.',
  ),
  firstEventTimeoutMs: setting(
    'FERRY_FIRST_EVENT_TIMEOUT_MS',
    integer(100, 86_400_000),
    '900000',
    'First token of a streaming request.',
  ),
  wholeAnswerTimeoutMs: setting(
    'FERRY_WHOLE_ANSWER_TIMEOUT_MS',
    integer(100, 86_400_000),
    '1800000',
    'Whole answer of a non-streaming request.',
  ),
  eventIdleTimeoutMs: setting(
    'FERRY_EVENT_IDLE_TIMEOUT_MS',
    integer(100, 86_400_000),
    '120000',
    'Silence of a node after its first event.',
  ),
  queueTimeoutMs: setting('FERRY_QUEUE_TIMEOUT_MS', integer(0, 3_600_000), '30000', 'Longest wait for a free slot.'),
  queueLimit: setting('FERRY_QUEUE_LIMIT', integer(0, 100_000), '100', 'Waiting requests per account and model.'),
  maxRejectRepicks: setting(
    'FERRY_MAX_REJECT_REPICKS',
    integer(0, 20),
    '3',
    'How often another node is tried for free when one refuses.',
  ),

  linkHandshakeTimeoutMs: setting(
    'FERRY_LINK_HANDSHAKE_TIMEOUT_MS',
    integer(100, 60_000),
    '5000',
    'A node must be authenticated, and have said HELLO, by then.',
  ),
  linkPingIntervalMs: setting(
    'FERRY_LINK_PING_INTERVAL_MS',
    integer(100, 600_000),
    '10000',
    'WebSocket ping to a node.',
  ),
  linkDeadAfterMs: setting(
    'FERRY_LINK_DEAD_AFTER_MS',
    integer(200, 600_000),
    '25000',
    'A node without any frame for this long is gone.',
  ),
  linkToNodeWindowBytes: setting(
    'FERRY_LINK_TO_NODE_WINDOW_BYTES',
    integer(65_536, 16 * MEBIBYTE),
    '262144',
    'Request body bytes in flight to a node, per stream.',
  ),
  linkToRelayWindowBytes: setting(
    'FERRY_LINK_TO_RELAY_WINDOW_BYTES',
    integer(16_384, 16 * MEBIBYTE),
    '65536',
    'Answer bytes in flight from a node, per stream.',
  ),
  linkMaxOutstandingBytes: setting(
    'FERRY_LINK_MAX_OUTSTANDING_BYTES',
    integer(65_536, 1_024 * MEBIBYTE),
    '8388608',
    'Answer bytes that one node may have in flight over all streams.',
  ),
  linkMaxStreams: setting('FERRY_LINK_MAX_STREAMS', integer(1, 1_024), '1024', 'Concurrent requests on one link.'),
  linkBackpressureTimeoutMs: setting(
    'FERRY_LINK_BACKPRESSURE_TIMEOUT_MS',
    integer(1_000, 3_600_000),
    '60000',
    'Longest wait for credit from a node.',
  ),
  linkNonceLifetimeMs: setting(
    'FERRY_LINK_NONCE_LIFETIME_MS',
    integer(1_000, 600_000),
    '60000',
    'A challenge must be answered by then.',
  ),
  linkUpgradesPerMinute: setting(
    'FERRY_LINK_UPGRADES_PER_MINUTE',
    integer(1, 100_000),
    '20',
    'Connections per node and minute.',
  ),
  linkFailedAuthenticationsPerMinute: setting(
    'FERRY_LINK_FAILED_AUTHENTICATIONS_PER_MINUTE',
    integer(1, 100_000),
    '60',
    'Failed node authentications per IP address and minute.',
  ),
  linkModelLimit: setting('FERRY_LINK_MODEL_LIMIT', integer(1, 100_000), '5000', 'Models that one node may report.'),
  nodesPerAccount: setting('FERRY_NODES_PER_ACCOUNT', integer(1, 100_000), '50', 'Nodes of one account.'),
  clustersPerAccount: setting('FERRY_CLUSTERS_PER_ACCOUNT', integer(1, 100_000), '50', 'Clusters of one account.'),
  apiKeysPerAccount: setting(
    'FERRY_API_KEYS_PER_ACCOUNT',
    integer(1, 100_000),
    '100',
    'Active API keys of one account.',
  ),
  modelsPerAccount: setting('FERRY_MODELS_PER_ACCOUNT', integer(1, 1_000_000), '20000', 'Known models of one account.'),
  joinTokenLifetimeMs: setting(
    'FERRY_JOIN_TOKEN_LIFETIME_MS',
    integer(1_000, 86_400_000),
    '900000',
    'A join token works once, until then.',
  ),
  keyCacheFreshMs: setting(
    'FERRY_KEY_CACHE_FRESH_MS',
    integer(0, 600_000),
    '30000',
    'A verified key is not looked up again for this long.',
  ),
  keyCacheStaleMs: setting(
    'FERRY_KEY_CACHE_STALE_MS',
    integer(0, 3_600_000),
    '300000',
    'While the database is down a verified key keeps working this long.',
  ),
  keyCacheEntries: setting(
    'FERRY_KEY_CACHE_ENTRIES',
    integer(1, 10_000_000),
    '50000',
    'Credentials kept in the cache.',
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

export type RelaySettings = SettingsOf<typeof relaySettings>;
export type LoadedRelaySettings = LoadedSettings<typeof relaySettings>;
