import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { AccountId, AuditEventId } from '../../../kernel/ids.js';
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

/** A position in the order of recording, with the full precision of the database. */
export interface TailPosition {
  readonly createdAt: string;
  readonly position: string;
}

export interface TailRange {
  /** null: from `overlapMs` ago. */
  readonly since: string | null;
  /** The last event of the page before. */
  readonly after: TailPosition | null;
  readonly overlapMs: number;
}

export interface TailEvent {
  readonly id: AuditEventId;
  readonly accountId: AccountId;
  readonly action: string;
  readonly kind: string;
  readonly objectId: string;
  readonly position: TailPosition;
}

export interface Tail {
  readonly events: readonly TailEvent[];
  /** `since` of the next call: `overlapMs` before this one. */
  readonly horizon: string;
}

@Injectable()
export class AuditEventsStore {
  constructor(@InjectRepository(AuditEventEntity) private readonly events: Repository<AuditEventEntity>) {}

  /** Events of all accounts in the order of recording. */
  async tail({ since, after, overlapMs }: TailRange, limit: number): Promise<Tail> {
    const rows = await this.events.query<[TailRow, ...TailRow[]]>(
      `SELECT read.horizon::text AS horizon, id, account_id, action, object_kind, object_id, created_at::text AS created_at, position
       FROM (SELECT now() - $2 * interval '1 millisecond' AS horizon) AS read
       LEFT JOIN audit_event ON created_at >= COALESCE($1::timestamptz, read.horizon)
         AND ($3::timestamptz IS NULL OR (created_at, position) > ($3::timestamptz, $4::bigint))
       ORDER BY created_at, position LIMIT $5`,
      [since, overlapMs, after?.createdAt ?? null, after?.position ?? null, limit],
    );
    return { events: rows.flatMap(toTailEvent), horizon: rows[0].horizon };
  }

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

type TailRow = { readonly horizon: string } & (
  | { readonly id: null }
  | {
      readonly id: AuditEventId;
      readonly account_id: AccountId;
      readonly action: string;
      readonly object_kind: string;
      readonly object_id: string;
      readonly created_at: string;
      readonly position: string;
    }
);

/** Without an event there is one row, for the horizon. */
const toTailEvent = (row: TailRow): TailEvent[] =>
  row.id === null
    ? []
    : [
        {
          id: row.id,
          accountId: row.account_id,
          action: row.action,
          kind: row.object_kind,
          objectId: row.object_id,
          position: { createdAt: row.created_at, position: row.position },
        },
      ];
