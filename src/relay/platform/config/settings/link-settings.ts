/** Connections of nodes (docs/reference/security.md#nodes, docs/reference/link.md#reconnect). */
import type { Setting } from '../../../../kernel/settings.js';
import { integer, MEBIBYTE, setting } from './setting.js';

export const linkSettings = {
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
    'A node that was silent for this long gets a WebSocket ping.',
  ),
  linkDeadAfterMs: setting(
    'FERRY_LINK_DEAD_AFTER_MS',
    integer(200, 600_000),
    '25000',
    'A node without any frame, ping or pong for this long is gone.',
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
} as const satisfies Record<string, Setting<unknown>>;
