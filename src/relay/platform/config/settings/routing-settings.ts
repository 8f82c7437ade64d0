/** Memory of the routing statistics, explanations, hedging (docs/reference/request-lifecycle.md#eligibility-and-choice). */
import { z } from 'zod';
import type { Setting } from '../../../../kernel/settings/setting.js';
import { integer, MEBIBYTE, setting } from './setting.js';

export const routingSettings = {
  affinityKeys: setting(
    'FERRY_AFFINITY_KEYS',
    integer(1, 10_000_000),
    '50000',
    'Entries of the affinity cache (conversations and beginnings of prompts), over all accounts. Beyond it an account with more than an equal share loses its oldest.',
  ),
  explainedRequests: setting(
    'FERRY_EXPLAIN_REQUESTS',
    integer(0, 1_000_000),
    '5000',
    'Requests whose routing can be explained afterwards, over all accounts. 0: none.',
  ),
  explainedBytes: setting(
    'FERRY_EXPLAIN_BYTES',
    integer(0, 1024 * MEBIBYTE),
    String(16 * MEBIBYTE),
    'Approximate memory for these explanations.',
  ),
  explainHeaders: setting(
    'FERRY_EXPLAIN_HEADERS',
    z.enum(['off', 'on']),
    'off',
    'Adds `x-ferry-node`, `x-ferry-queue-ms` and `x-ferry-attempts` to responses.',
  ),
} as const satisfies Record<string, Setting<unknown>>;

/** Hedging: a second dispatch of requests whose node is late (docs/reference/request-lifecycle.md#dispatch-and-failover). */
export const hedgingSettings = {
  hedgeBudgetPercent: setting(
    'FERRY_HEDGE_BUDGET_PERCENT',
    integer(0, 100),
    '0',
    "Share of an account's requests that may be sent to a second node when the first is later than its 95th percentile. 0: off.",
  ),
  hedgeAfterMs: setting(
    'FERRY_HEDGE_AFTER_MS',
    integer(10, 3_600_000),
    '1000',
    'Shortest wait for a first event before a request is sent to a second node.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
