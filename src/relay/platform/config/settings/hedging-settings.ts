/** Second dispatches of requests whose node is late (docs/reference/request-lifecycle.md#dispatch-and-failover). */
import type { Setting } from '../../../../kernel/settings.js';
import { integer, setting } from './setting.js';

export const hedgingSettings = {
  hedgeBudgetPercent: setting(
    'FERRY_HEDGE_BUDGET_PERCENT',
    integer(0, 100),
    '0',
    "Share of an account's requests that may be sent to a second node when the first is later than 95 % of its answers; 0: none.",
  ),
  hedgeAfterMs: setting(
    'FERRY_HEDGE_AFTER_MS',
    integer(10, 3_600_000),
    '1000',
    'No request is sent to a second node before it has waited this long for its first event.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
