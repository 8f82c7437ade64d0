/** Second dispatches of requests whose node is late (docs/reference/request-lifecycle.md#dispatch-and-failover). */
import type { Setting } from '../../../../kernel/settings.js';
import { integer, setting } from './setting.js';

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
