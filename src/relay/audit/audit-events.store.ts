import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { AccountId } from '../../kernel/ids.js';
import type { AuditEvent } from './audit-event.js';
import { AuditEventEntity } from './audit-event.entity.js';

/** null: any. */
export interface AuditFilter {
  /** The id of a user or of a credential. */
  readonly actor: string | null;
  /** Whole, such as `key.create`, or the part before the dot. */
  readonly action: string | null;
  /** The id or the kind of what was changed. */
  readonly object: string | null;
  readonly since: Date | null;
  readonly until: Date | null;
}

/** Older events follow. */
export interface AuditPosition {
  /** In whole milliseconds; used when the event itself was deleted. */
  readonly createdAt: Date;
  readonly id: string;
}

@Injectable()
export class AuditEventsStore {
  constructor(@InjectRepository(AuditEventEntity) private readonly events: Repository<AuditEventEntity>) {}

  /** Newest first. @param after the last event of the page before, which may be deleted by now */
  async list(
    accountId: AccountId,
    { actor, action, object, since, until }: AuditFilter,
    limit: number,
    after: AuditPosition | null,
  ): Promise<readonly AuditEvent[]> {
    const query = this.events.createQueryBuilder('event').where({ accountId });
    if (actor !== null)
      query.andWhere('(event.actor_user_id = :actor OR event.actor_credential_id = :actor)', { actor });
    if (action !== null) {
      query.andWhere(`(event.action = :action OR split_part(event.action, '.', 1) = :action)`, { action });
    }
    if (object !== null) query.andWhere('(event.object_id = :object OR event.object_kind = :object)', { object });
    if (since !== null) query.andWhere('event.created_at >= :since', { since });
    if (until !== null) query.andWhere('event.created_at < :until', { until });
    if (after !== null) {
      query.andWhere(
        `(event.created_at, event.position) <
         (COALESCE((SELECT created_at FROM audit_event WHERE account_id = :accountId AND id = :id), :createdAt),
          COALESCE((SELECT position FROM audit_event WHERE account_id = :accountId AND id = :id), 0))`,
        { accountId, id: after.id, createdAt: after.createdAt },
      );
    }
    const rows = await query
      .orderBy('event.createdAt', 'DESC')
      .addOrderBy('event.position', 'DESC')
      .take(limit)
      .getMany();
    return rows.map(toAuditEvent);
  }

  /** Deletes what is older, at most `limit` events. @returns how many were deleted */
  async prune(olderThanDays: number, limit: number): Promise<number> {
    return this.events.manager.transaction(async (manager) => {
      // The trigger of the table refuses DELETE without this setting.
      await manager.query(`SELECT set_config('ferry.audit_retention', 'on', true)`);
      const [{ deleted }] = await manager.query<[{ deleted: number }]>(
        `WITH gone AS (
           DELETE FROM audit_event WHERE (account_id, id) IN (
             SELECT account_id, id FROM audit_event WHERE created_at < now() - $1 * interval '1 day' LIMIT $2)
           RETURNING 1)
         SELECT count(*)::int AS deleted FROM gone`,
        [olderThanDays, limit],
      );
      return deleted;
    });
  }
}

const toAuditEvent = (row: AuditEventEntity): AuditEvent => ({
  id: row.id,
  createdAt: row.createdAt,
  action: row.action,
  actor: {
    kind: row.actorKind,
    userId: row.actorUserId,
    credentialId: row.actorCredentialId,
    name: row.actorName,
  },
  object: { kind: row.objectKind, id: row.objectId },
  detail: row.detail,
  ip: row.ip,
  userAgent: row.userAgent,
});
