import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { createAuditEventId } from '../../../kernel/ids.js';
import { noteIdempotentChange } from '../../platform/api/idempotency/idempotent-requests.store.js';
import type { NewAuditEvent, RecordedActor, AuditActor, AuditDetail } from './audit-event.js';
import { noteAuditedChange } from './audited-changes.store.js';
import { rememberedOrigin } from './request-origin.js';

const LONGEST_DETAIL_CHARACTERS = 200;

/** Records every change (docs/reference/security.md#logs). */
@Injectable()
export class AuditTrail {
  /**
   * Call it with the entity manager of the change, and await it: the event and the change commit together. Rejects with the database's
   * error, which rolls the change back.
   */
  async record(manager: EntityManager, event: NewAuditEvent): Promise<void> {
    const actor = recordedActor(event.actor);
    const id = createAuditEventId();
    const origin = event.actor === 'system' ? undefined : rememberedOrigin(event.actor);
    await manager.query(
      `INSERT INTO audit_event (account_id, id, actor_kind, actor_user_id, actor_credential_id, actor_name,
                                action, object_kind, object_id, detail, ip, user_agent)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        event.accountId,
        id,
        actor.kind,
        actor.userId,
        actor.credentialId,
        actor.name,
        event.action,
        event.object.kind,
        event.object.id,
        JSON.stringify(bounded(event.detail ?? {})),
        event.ip === undefined ? (origin?.ip ?? null) : event.ip,
        event.userAgent === undefined ? (origin?.userAgent ?? null) : event.userAgent,
      ],
    );
    if (event.actor !== 'system') await noteIdempotentChange(manager, event.actor);
    noteAuditedChange(manager, { id, accountId: event.accountId, kind: event.object.kind });
  }
}

const recordedActor = (actor: AuditActor): RecordedActor =>
  actor === 'system'
    ? { kind: 'system', userId: null, credentialId: null, name: null }
    : {
        kind: actor.credential.kind,
        userId: actor.userId,
        credentialId: actor.credential.id,
        name: actor.credential.name,
      };

/** Details may come from users and nodes, and events are kept for long: bounds their size. */
const bounded = (detail: AuditDetail): AuditDetail =>
  Object.fromEntries(
    Object.entries(detail).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, LONGEST_DETAIL_CHARACTERS) : value,
    ]),
  );
