import type { AccountId, AuditEventId, UserId } from '../../../kernel/ids.js';

/** The author of a change. A `Principal` is one; `system`: the relay itself, or a computer that is not enrolled yet. */
export type AuditActor = 'system' | ManagingActor;

export interface ManagingActor {
  readonly userId: UserId | null;
  readonly credential: { readonly kind: string; readonly id: string; readonly name: string };
}

/** The changed object. Its id is public, never a secret or a part of one. */
export interface AuditObject {
  readonly kind: string;
  readonly id: string;
}

/** Public facts only: names, ids, counts. Never a credential, a password, a prompt. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | null>>;

/** One change, to be recorded in the transaction that makes it. */
export interface NewAuditEvent {
  readonly accountId: AccountId;
  readonly actor: AuditActor;
  /** `object.verb`, such as `key.create`. */
  readonly action: string;
  readonly object: AuditObject;
  readonly detail?: AuditDetail;
  /** Both default to those of the actor's request. */
  readonly ip?: string | null;
  readonly userAgent?: string | null;
}

export interface AuditEvent {
  readonly id: AuditEventId;
  readonly createdAt: Date;
  readonly action: string;
  readonly actor: RecordedActor;
  readonly object: AuditObject;
  readonly detail: AuditDetail;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** The actor at that time: later renames and deletions do not change it. */
export interface RecordedActor {
  /** `system`, or the kind of credential that was used. */
  readonly kind: string;
  readonly userId: string | null;
  readonly credentialId: string | null;
  readonly name: string | null;
}
