/** Connections of nodes (docs/reference/security.md#nodes, docs/reference/link.md#reconnect). */
import { z } from 'zod';
import { MAX_LINKS } from '../../../../link/messages.js';
import type { Setting } from '../../../../kernel/settings/setting.js';
import { integer, MEBIBYTE, setting } from './setting.js';

export const linkSettings = {
  linkHandshakeTimeoutMs: setting(
    'FERRY_LINK_HANDSHAKE_TIMEOUT_MS',
    integer(100, 60_000),
    '5000',
    'Limit for a node to authenticate and send HELLO.',
  ),
  linkPingIntervalMs: setting(
    'FERRY_LINK_PING_INTERVAL_MS',
    integer(100, 600_000),
    '10000',
    'Silence of a node after which it gets a WebSocket ping.',
  ),
  linkDeadAfterMs: setting(
    'FERRY_LINK_DEAD_AFTER_MS',
    integer(200, 600_000),
    '25000',
    'A node without any frame, ping or pong for this long counts as lost.',
  ),
  linkToNodeWindowBytes: setting(
    'FERRY_LINK_TO_NODE_WINDOW_BYTES',
    integer(65_536, 16 * MEBIBYTE),
    '262144',
    'Flow-control window of a stream, relay to node (request body).',
  ),
  linkToRelayWindowBytes: setting(
    'FERRY_LINK_TO_RELAY_WINDOW_BYTES',
    integer(16_384, 16 * MEBIBYTE),
    '65536',
    'Flow-control window of a stream, node to relay (response).',
  ),
  linkMaxOutstandingBytes: setting(
    'FERRY_LINK_MAX_OUTSTANDING_BYTES',
    integer(65_536, 1_024 * MEBIBYTE),
    '8388608',
    'Response bytes that one node may have in flight over all streams.',
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
    'Lifetime of an authentication challenge.',
  ),
  linkUpgradesPerMinute: setting(
    'FERRY_LINK_UPGRADES_PER_MINUTE',
    integer(1, 100_000),
    '20',
    'Connection attempts per node and minute.',
  ),
  linkFailedAuthenticationsPerMinute: setting(
    'FERRY_LINK_FAILED_AUTHENTICATIONS_PER_MINUTE',
    integer(1, 100_000),
    '60',
    'Failed node authentications per IP address and minute.',
  ),
  linkUrl: setting(
    'FERRY_LINK_URL',
    z
      .url({ protocol: /^https?$/ })
      .max(500)
      .optional(),
    undefined,
    'Address at which nodes reach this replica alone, where several share `FERRY_BASE_URL`. Default: nodes use the public address.',
  ),
  linkMaxLinks: setting(
    'FERRY_LINK_MAX_LINKS',
    integer(1, MAX_LINKS),
    '3',
    'Links that one node keeps, each to another relay, or to each worker of these (`FERRY_WORKERS`): 8 at most in all.',
  ),
  linkModelLimit: setting('FERRY_LINK_MODEL_LIMIT', integer(1, 100_000), '5000', 'Models that one node may report.'),
} as const satisfies Record<string, Setting<unknown>>;
