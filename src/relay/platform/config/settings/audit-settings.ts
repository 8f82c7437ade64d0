/** What is kept of changes (docs/reference/security.md#logs). */
import type { Setting } from '../../../../kernel/settings.js';
import { integer, setting } from './setting.js';

export const auditSettings = {
  auditRetentionDays: setting('FERRY_AUDIT_RETENTION_DAYS', integer(1, 36_500), '365', 'Retention of audit events.'),
} as const satisfies Record<string, Setting<unknown>>;
