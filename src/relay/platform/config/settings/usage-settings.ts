/** Retention of usage and of audit events, and how usage is written to the database. */
import type { Setting } from '../../../../kernel/settings/setting.js';
import { integer, reloadable, setting } from './setting.js';

export const usageSettings = {
  requestLogRetentionDays: setting(
    'FERRY_REQUEST_LOG_RETENTION_DAYS',
    integer(1, 36_500),
    '30',
    'Retention of the request log (metadata only).',
    reloadable,
  ),
  usageRetentionDays: setting(
    'FERRY_USAGE_RETENTION_DAYS',
    integer(1, 36_500),
    '400',
    'Retention of hourly usage.',
    reloadable,
  ),
  usageFlushMs: setting(
    'FERRY_USAGE_FLUSH_MS',
    integer(10, 600_000),
    '2000',
    'Interval at which finished requests are written to the database.',
  ),
  usageBatchRequests: setting(
    'FERRY_USAGE_BATCH_REQUESTS',
    integer(1, 10_000),
    '1000',
    'Finished requests per write. A full batch is written at once.',
  ),
  usageQueueRequests: setting(
    'FERRY_USAGE_QUEUE_REQUESTS',
    integer(1, 10_000_000),
    '50000',
    'Finished requests that wait for the database in memory. Requests beyond that are not metered.',
  ),
  usageConfirmTimeoutMs: setting(
    'FERRY_USAGE_CONFIRM_TIMEOUT_MS',
    integer(0, 600_000),
    '15000',
    'Longest wait for a node to report the usage of a stopped request. After that it is estimated.',
  ),
} as const satisfies Record<string, Setting<unknown>>;

/** Audit trail (docs/reference/security.md#logs). */
export const auditSettings = {
  auditRetentionDays: setting(
    'FERRY_AUDIT_RETENTION_DAYS',
    integer(1, 36_500),
    '365',
    'Retention of audit events.',
    reloadable,
  ),
} as const satisfies Record<string, Setting<unknown>>;
