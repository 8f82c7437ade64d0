import type { AuditDetail, AuditEvent } from './audit-event.js';

/** One change as `/api/audit` shows it. */
export interface AuditRecord {
  readonly object: 'audit_event';
  readonly id: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** `object.verb`. */
  readonly action: string;
  readonly actor: {
    /** `system`, or the kind of credential that was used: `cli-token`, `session`. */
    readonly kind: string;
    readonly user_id: string | null;
    readonly credential_id: string | null;
    readonly name: string | null;
  };
  /** What was changed. */
  readonly target: { readonly kind: string; readonly id: string };
  readonly detail: AuditDetail;
  readonly ip: string | null;
  readonly user_agent: string | null;
}

export const auditRecord = ({
  id,
  createdAt,
  action,
  actor,
  object,
  detail,
  ip,
  userAgent,
}: AuditEvent): AuditRecord => ({
  object: 'audit_event',
  id,
  created_at: createdAt.toISOString(),
  action,
  actor: { kind: actor.kind, user_id: actor.userId, credential_id: actor.credentialId, name: actor.name },
  target: object,
  detail,
  ip,
  user_agent: userAgent,
});
