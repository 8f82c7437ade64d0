/** Settings of the node. A limit or timeout carries its unit in its name. Engines are configured in the engines file. */
import { z } from 'zod';
import {
  integer,
  MEBIBYTE,
  optionalText,
  reloadable,
  setting,
  type SettingsOf,
  type SettingsTable,
} from '../kernel/settings/setting.js';
import { traceSettingsOf } from '../kernel/tracing/trace-settings.js';
import { DISCOVERY_PORTS } from './engines/discovery/search-targets.js';
import { gpuSettings } from './engines/llamacpp/gpu/gpu-setting.js';

/** Distinct ports in a list like `11434,8080`. */
const portList = z
  .string()
  .transform((text) => [...new Set(text.split(',').map((port) => Number(port.trim())))])
  .pipe(z.array(z.number('ports like 11434,8080 are needed').int().min(1).max(65_535)).max(32));

export const agentSettings = {
  nodeName: setting(
    'FERRY_NODE_NAME',
    z.string().min(1).max(100).optional(),
    undefined,
    'Name of this computer in lists. Default: the name under which it joined.',
  ),
  relayUrl: setting(
    'FERRY_NODE_RELAY_URL',
    optionalText,
    undefined,
    'Address of the relay, if it has changed since this computer joined.',
  ),
  enginesFile: setting(
    'FERRY_NODE_ENGINES_FILE',
    optionalText,
    undefined,
    'Engines of this node. Default: `node/engines.json` in the data directory; without the file, the built-in engine and discovery.',
  ),
  discovery: setting(
    'FERRY_DISCOVERY',
    z.enum(['on', 'off']),
    'on',
    'Discovery of engines on this computer. Applies where the engines file lists none or says `"discover": true`.',
  ),
  discoveryPorts: setting(
    'FERRY_DISCOVERY_PORTS',
    portList,
    DISCOVERY_PORTS.join(','),
    'Local ports that discovery probes.',
  ),
  discoveryIntervalMs: setting(
    'FERRY_DISCOVERY_INTERVAL_MS',
    integer(500, 3_600_000),
    '15000',
    'Interval of discovery.',
  ),
  lastKnownModelsMaxAgeMs: setting(
    'FERRY_NODE_LAST_KNOWN_MODELS_MAX_AGE_MS',
    integer(0, 30 * 86_400_000),
    '86400000',
    'Time for which the models of an engine that does not answer stay listed as not loaded. 0: not at all.',
  ),
  llamacppGpu: setting(
    'FERRY_LLAMACPP_GPU',
    z.enum(gpuSettings),
    'auto',
    'What the built-in engine computes on: the graphics processor if there is one, none, or `vulkan`, `cuda` or `metal`. `gpu` in the engines file wins.',
  ),
  remoteMedia: setting(
    'FERRY_REMOTE_MEDIA',
    z.enum(['refuse', 'public']),
    'refuse',
    'Images given by web address: refused, or fetched by this node from public addresses and passed to the engine as data.',
  ),
  remoteMediaLimitBytes: setting(
    'FERRY_REMOTE_MEDIA_LIMIT_BYTES',
    integer(1_024, 64 * MEBIBYTE),
    '16777216',
    'Fetched images of one request, all together.',
  ),
  remoteMediaTimeoutMs: setting(
    'FERRY_REMOTE_MEDIA_TIMEOUT_MS',
    integer(100, 600_000),
    '10000',
    'Limit for fetching all images of one request.',
  ),
  installSources: setting(
    'FERRY_NODE_INSTALL_SOURCES',
    z.enum(['public', 'private']),
    'public',
    'Allowed sources of model downloads: public addresses over https only, or also this computer and its private network.',
  ),
  caFile: setting(
    'FERRY_CA_FILE',
    optionalText,
    undefined,
    'Certificates (PEM) to trust in addition, for a relay whose certificate is from a private authority.',
  ),
  logLevel: setting(
    'FERRY_NODE_LOG_LEVEL',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'Minimum severity of log lines (on stderr: JSON, text on a terminal).',
    reloadable,
  ),
  metricsPort: setting(
    'FERRY_NODE_METRICS_PORT',
    integer(0, 65_535).optional(),
    undefined,
    'Port of `GET /metrics` of this node for Prometheus; 0 takes a free one. Not set: no metrics are served.',
  ),
  metricsHost: setting(
    'FERRY_NODE_METRICS_HOST',
    z.string().min(1),
    '127.0.0.1',
    'Address that `/metrics` of this node listens on. It asks for no credential.',
  ),
  ...traceSettingsOf({
    otlpUrl: 'FERRY_NODE_OTLP_URL',
    otlpHeaders: 'FERRY_NODE_OTLP_HEADERS',
    otlpTimeoutMs: 'FERRY_NODE_OTLP_TIMEOUT_MS',
    otlpIntervalMs: 'FERRY_NODE_OTLP_INTERVAL_MS',
    traceQueueSpans: 'FERRY_NODE_TRACE_QUEUE_SPANS',
    traceSamplePercent: 'FERRY_NODE_TRACE_SAMPLE_PERCENT',
  }),
  bodyLimitBytes: setting(
    'FERRY_NODE_BODY_LIMIT_BYTES',
    integer(1_024, 64 * MEBIBYTE),
    '16777216',
    'Largest request body.',
  ),
  bodiesInMemoryBytes: setting(
    'FERRY_NODE_BODIES_IN_MEMORY_BYTES',
    integer(MEBIBYTE, 1_024 * 1_024 * MEBIBYTE),
    '268435456',
    'Request bodies held in memory, all together.',
  ),
  responsesStoreBytes: setting(
    'FERRY_NODE_RESPONSES_STORE_BYTES',
    integer(0, 1_024 * 1_024 * MEBIBYTE),
    '67108864',
    'Conversations kept for `previous_response_id` and for message threads. The least recently used are evicted. 0: none.',
  ),
  responsesStoreMaxAgeMs: setting(
    'FERRY_NODE_RESPONSES_STORE_MAX_AGE_MS',
    integer(1_000, 30 * 86_400_000),
    '3600000',
    'Time for which a conversation is kept after its last response.',
  ),
  responsesKeepAliveAfterMs: setting(
    'FERRY_NODE_RESPONSES_KEEP_ALIVE_AFTER_MS',
    integer(50, 3_600_000),
    '60000',
    'Silence of an engine after which a streamed response is announced with `response.created`. No other node can take it over after that.',
  ),
  responsesKeepAliveIntervalMs: setting(
    'FERRY_NODE_RESPONSES_KEEP_ALIVE_INTERVAL_MS',
    integer(50, 3_600_000),
    '60000',
    'Interval of `response.in_progress` after that, until the engine produces output.',
  ),
  drainTimeoutMs: setting(
    'FERRY_NODE_DRAIN_TIMEOUT_MS',
    integer(0, 3_600_000),
    '30000',
    'Time that running responses get after SIGTERM.',
    reloadable,
  ),
  dialTimeoutMs: setting(
    'FERRY_NODE_DIAL_TIMEOUT_MS',
    integer(100, 600_000),
    '10000',
    'Limit for each step of connecting: the relay’s response, then its admission of the node.',
  ),
  linkPingIntervalMs: setting(
    'FERRY_NODE_LINK_PING_INTERVAL_MS',
    integer(100, 600_000),
    '10000',
    'Silence of the relay after which it gets a WebSocket ping.',
  ),
  linkDeadAfterMs: setting(
    'FERRY_NODE_LINK_DEAD_AFTER_MS',
    integer(200, 600_000),
    '25000',
    'A relay without any frame, ping or pong for this long counts as lost.',
  ),
  linkSuspendGapMs: setting(
    'FERRY_NODE_LINK_SUSPEND_GAP_MS',
    integer(1_000, 600_000),
    '15000',
    'A timer later than this, or clocks that differ by more, count as a suspended computer: the node reconnects at once.',
  ),
  linkBackpressureTimeoutMs: setting(
    'FERRY_NODE_LINK_BACKPRESSURE_TIMEOUT_MS',
    integer(1_000, 3_600_000),
    '60000',
    'Longest wait for credit from the relay.',
  ),
  linkStreamsIntervalMs: setting(
    'FERRY_NODE_LINK_STREAMS_INTERVAL_MS',
    integer(100, 3_600_000),
    '30000',
    'Interval at which the node reports its open requests to the relay.',
  ),
} as const satisfies SettingsTable;

export type AgentSettings = SettingsOf<typeof agentSettings>;
