/**
 * Health of nodes, and rate limits of accounts (docs/reference/request-lifecycle.md#at-most-once,
 * docs/reference/limits.md#rate-limits).
 */
import type { Setting } from '../../../../kernel/settings/setting.js';
import { integer, reloadable, setting } from './setting.js';

export const capacitySettings = {
  healthFailureThreshold: setting(
    'FERRY_HEALTH_FAILURE_THRESHOLD',
    integer(1, 1_000),
    '3',
    'Consecutive failures after which a model on a node (or the node) is suspect. It then gets only probes while other nodes can serve.',
  ),
  healthProbeAfterMs: setting(
    'FERRY_HEALTH_PROBE_AFTER_MS',
    integer(10, 3_600_000),
    '5000',
    'Delay until a suspect gets one request as a probe. Doubled after each failed probe.',
  ),
  healthProbeMaxMs: setting(
    'FERRY_HEALTH_PROBE_MAX_MS',
    integer(10, 86_400_000),
    '5000',
    'Longest delay between two probes of a suspect.',
  ),
  healthStallMs: setting(
    'FERRY_HEALTH_STALL_MS',
    integer(100, 86_400_000),
    '60000',
    'A node is suspect when a request has no event for this long after its predicted first one, and the node sends nothing else.',
  ),
  accountRequestsPerMinute: setting(
    'FERRY_ACCOUNT_REQUESTS_PER_MINUTE',
    integer(0, 100_000_000),
    '0',
    'Inference requests of one account per minute. 0: no limit. Keys may have limits of their own.',
    reloadable,
  ),
  accountTokensPerMinute: setting(
    'FERRY_ACCOUNT_TOKENS_PER_MINUTE',
    integer(0, 1_000_000_000_000),
    '0',
    'Input and output tokens of one account per minute. 0: no limit.',
    reloadable,
  ),
  accountConcurrency: setting(
    'FERRY_ACCOUNT_CONCURRENCY',
    integer(0, 1_000_000),
    '0',
    'Concurrent inference requests of one account, queued ones included. 0: no limit.',
    reloadable,
  ),
} as const satisfies Record<string, Setting<unknown>>;
