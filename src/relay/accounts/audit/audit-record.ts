import { ApiProperty } from 'nest-swagger';
import type { AuditDetail, AuditEvent } from './audit-event.js';

export class AuditActorRecord {
  @ApiProperty({ description: '`system`, `cli-token` or `session`.', example: 'cli-token' })
  readonly kind: string;
  @ApiProperty({ type: 'string', nullable: true })
  readonly user_id: string | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly credential_id: string | null;
  @ApiProperty({ type: 'string', nullable: true, example: 'laptop' })
  readonly name: string | null;
}

export class AuditTargetRecord {
  @ApiProperty({ example: 'api_key' })
  readonly kind: string;
  @ApiProperty({ example: 'key_q3Zr8TnV0aLk' })
  readonly id: string;
}

/** One change as `/api/audit` shows it. */
export class AuditEventRecord {
  @ApiProperty({ enum: ['audit_event'] })
  readonly object: 'audit_event';
  @ApiProperty({ example: 'evt_1a2b3c4d5e6f708192a3b4c5d6e7f809' })
  readonly id: string;
  @ApiProperty({ type: 'string', format: 'date-time', description: 'ISO 8601.' })
  readonly created_at: string;
  @ApiProperty({ description: '`object.verb`.', example: 'key.create' })
  readonly action: string;
  @ApiProperty({ type: () => AuditActorRecord })
  readonly actor: AuditActorRecord;
  @ApiProperty({ type: () => AuditTargetRecord, description: 'The changed object.' })
  readonly target: AuditTargetRecord;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Further details, without secrets.' })
  readonly detail: AuditDetail;
  @ApiProperty({ type: 'string', nullable: true })
  readonly ip: string | null;
  @ApiProperty({ type: 'string', nullable: true, example: 'ferry/0.1.0' })
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
}: AuditEvent): AuditEventRecord => ({
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
