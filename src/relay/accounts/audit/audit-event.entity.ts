import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, AuditEventId } from '../../../kernel/ids.js';
import type { AuditDetail } from './audit-event.js';

/** Append-only: triggers refuse everything but INSERT, and DELETE by retention. No foreign keys: events outlive the rows they name. */
@Entity('audit_event')
@Index('audit_event_created', ['accountId', 'createdAt', 'position'])
@Index('audit_event_retention', ['createdAt'])
export class AuditEventEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'audit_event_pk' })
  accountId: AccountId;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'audit_event_pk' })
  id: AuditEventId;

  /** Not now(): the events of one transaction must keep their order. */
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  createdAt: Date;

  /** Breaks ties: a coarse clock (the embedded database's) gives two events of one transaction the same time. */
  @Column({ type: 'bigint' })
  @Generated('increment')
  position: string;

  @Column({ name: 'actor_kind', type: 'text' })
  actorKind: string;

  @Column({ name: 'actor_user_id', type: 'text', nullable: true })
  actorUserId: string | null;

  @Column({ name: 'actor_credential_id', type: 'text', nullable: true })
  actorCredentialId: string | null;

  @Column({ name: 'actor_name', type: 'text', nullable: true })
  actorName: string | null;

  @Column({ type: 'text' })
  action: string;

  @Column({ name: 'object_kind', type: 'text' })
  objectKind: string;

  @Column({ name: 'object_id', type: 'text' })
  objectId: string;

  @Column({ type: 'jsonb' })
  detail: AuditDetail;

  @Column({ type: 'text', nullable: true })
  ip: string | null;

  @Column({ name: 'user_agent', type: 'text', nullable: true })
  userAgent: string | null;
}
