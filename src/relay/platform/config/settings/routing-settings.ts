/** What routing remembers, and how much of its decisions it tells (docs/reference/request-lifecycle.md#eligibility-and-choice). */
import { z } from 'zod';
import type { Setting } from '../../../../kernel/settings.js';
import { integer, MEBIBYTE, setting } from './setting.js';

export const routingSettings = {
  affinityKeys: setting(
    'FERRY_AFFINITY_KEYS',
    integer(1, 10_000_000),
    '50000',
    'Entries of the affinity cache (conversation to node), over all accounts.',
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
