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
  requestLogMessageCharacters: setting(
    'FERRY_REQUEST_LOG_MESSAGE_CHARACTERS',
    integer(0, 2_000),
    '500',
    'Longest error message in the request log, which may be in the words of an engine. 0: none is kept.',
  ),
  explanationsStoredPerSecond: setting(
    'FERRY_EXPLANATIONS_STORED_PER_SECOND',
    integer(0, 1_000),
    '5',
    'Routing explanations stored per second: of failed, queued and repeated requests first. 0: they end with the relay process.',
  ),
  explanationsKeptPerAccount: setting(
    'FERRY_EXPLANATIONS_KEPT_PER_ACCOUNT',
    integer(1, 10_000_000),
    '10000',
    'Stored routing explanations of one account. The oldest are deleted, and those beyond the retention of the request log.',
    reloadable,
  ),
  usageRetentionDays: setting(
    'FERRY_USAGE_RETENTION_DAYS',
    integer(1, 36_500),
    '400',
    'Retention of hourly usage.',
    reloadable,
  ),
  historyRetentionDays: setting(
    'FERRY_HISTORY_RETENTION_DAYS',
    integer(0, 36_500),
    '8',
    'Retention of slots and memory of nodes over time, one row per node and minute. 0: they are not recorded.',
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
