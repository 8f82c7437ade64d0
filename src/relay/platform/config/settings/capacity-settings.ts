/**
 * When a node is left alone for a while, and what keys and accounts may use (docs/reference/request-lifecycle.md#at-most-once,
 * docs/reference/limits.md#rate-limits).
 */
import type { Setting } from '../../../../kernel/settings.js';
import { integer, setting } from './setting.js';

export const capacitySettings = {
  healthFailureThreshold: setting(
    'FERRY_HEALTH_FAILURE_THRESHOLD',
    integer(1, 1_000),
    '3',
    'Failed requests in a row that make a model on a node (or the node) suspect: it gets no more until a probe, while others can serve.',
  ),
  healthProbeAfterMs: setting(
    'FERRY_HEALTH_PROBE_AFTER_MS',
    integer(10, 3_600_000),
    '5000',
    'What is suspect may get one request as a probe after this; twice as long after each probe that fails.',
  ),
  healthProbeMaxMs: setting(
    'FERRY_HEALTH_PROBE_MAX_MS',
    integer(10, 86_400_000),
    '5000',
    'Longest time between two probes of what is suspect: so long it may stay unused after it has recovered unseen.',
  ),
  healthStallMs: setting(
    'FERRY_HEALTH_STALL_MS',
    integer(100, 86_400_000),
    '60000',
    'A request without an event for this long after its predicted first one makes its node suspect, when nothing else comes of the node.',
  ),
  accountRequestsPerMinute: setting(
    'FERRY_ACCOUNT_REQUESTS_PER_MINUTE',
    integer(0, 100_000_000),
    '0',
    'Inference requests of one account per minute; 0: no limit. Keys may have limits of their own.',
  ),
  accountTokensPerMinute: setting(
    'FERRY_ACCOUNT_TOKENS_PER_MINUTE',
    integer(0, 1_000_000_000_000),
    '0',
    'Tokens of prompts and answers of one account per minute; 0: no limit.',
  ),
  accountConcurrency: setting(
    'FERRY_ACCOUNT_CONCURRENCY',
    integer(0, 1_000_000),
    '0',
    'Inference requests of one account at once, waiting ones included; 0: no limit.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
