/** What is kept of requests, and how it gets into the database beside them. */
import type { Setting } from '../../../../kernel/settings.js';
import { integer, setting } from './setting.js';

export const usageSettings = {
  requestLogRetentionDays: setting(
    'FERRY_REQUEST_LOG_RETENTION_DAYS',
    integer(1, 36_500),
    '30',
    'Entries of the request log (metadata only) that are older are deleted.',
  ),
  usageRetentionDays: setting(
    'FERRY_USAGE_RETENTION_DAYS',
    integer(1, 36_500),
    '400',
    'Hourly usage figures that are older are deleted.',
  ),
  usageFlushMs: setting(
    'FERRY_USAGE_FLUSH_MS',
    integer(10, 600_000),
    '2000',
    'Finished requests are written to the database this often.',
  ),
  usageBatchRequests: setting(
    'FERRY_USAGE_BATCH_REQUESTS',
    integer(1, 10_000),
    '500',
    'Finished requests that are written at once; so many are written without waiting.',
  ),
  usageQueueRequests: setting(
    'FERRY_USAGE_QUEUE_REQUESTS',
    integer(1, 10_000_000),
    '50000',
    'Finished requests that wait for the database in memory; those beyond are not metered.',
  ),
  usageConfirmTimeoutMs: setting(
    'FERRY_USAGE_CONFIRM_TIMEOUT_MS',
    integer(0, 600_000),
    '15000',
    'A stopped request waits this long for its node to say what it had used; after that it is estimated.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
