import { csvLine } from '../../platform/api/csv-line.js';
import type { AuditEvent } from './audit-event.js';
import { auditRecord } from './audit-record.js';

export type ExportFormat = 'csv' | 'ndjson';

export const exportTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

const COLUMNS = [
  'created_at',
  'id',
  'action',
  'actor_kind',
  'actor_user_id',
  'actor_credential_id',
  'actor_name',
  'target_kind',
  'target_id',
  'detail',
  'ip',
  'user_agent',
] as const;

/** @returns the text page by page, so that an export is never in memory as a whole */
export async function* exportText(
  format: ExportFormat,
  pages: AsyncIterable<readonly AuditEvent[]>,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(COLUMNS);
  for await (const page of pages) {
    const lines = page.map(format === 'csv' ? eventLine : (event) => `${JSON.stringify(auditRecord(event))}\n`);
    if (lines.length > 0) yield lines.join('');
  }
}

function eventLine(event: AuditEvent): string {
  const { created_at, id, action, actor, target, detail, ip, user_agent } = auditRecord(event);
  const cells: Record<(typeof COLUMNS)[number], string | null> = {
    created_at,
    id,
    action,
    actor_kind: actor.kind,
    actor_user_id: actor.user_id,
    actor_credential_id: actor.credential_id,
    actor_name: actor.name,
    target_kind: target.kind,
    target_id: target.id,
    detail: JSON.stringify(detail),
    ip,
    user_agent,
  };
  return csvLine(COLUMNS.map((column) => cells[column]));
}
