import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { SessionLimits } from '../sessions/sessions.store.js';

/** Long enough to see in a list of tables what has just ended; the audit trail keeps what anybody may want to know later. */
const KEPT = `interval '1 day'`;

/** These can never be used again. The table of join tokens is named here, because its feature is above this one. */
const ended = {
  cli_token: `least(revoked_at, expires_at) < now() - ${KEPT}`,
  invite: `least(used_at, expires_at) < now() - ${KEPT}`,
  join_token: `least(used_at, expires_at) < now() - ${KEPT}`,
  console_link: `expires_at < now() - ${KEPT}`,
  device_login: `expires_at < now() - ${KEPT}`,
} as const;
export type EndingTable = keyof typeof ended;
export const endingTables = Object.keys(ended) as readonly EndingTable[];

/** Deletes credentials that have ended, at most `limit`. Each returns how many were deleted. */
@Injectable()
export class EndedCredentialsStore {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  prune(table: EndingTable, limit: number): Promise<number> {
    return this.delete(table, ended[table], limit);
  }

  /** The address and the browser of the sign-in go with the session. */
  pruneSessions({ idleMs, lifetimeMs }: SessionLimits, limit: number): Promise<number> {
    const past = (ms: string): string => `now() - ${ms} * interval '1 millisecond' - ${KEPT}`;
    return this.delete('session', `last_seen_at < ${past('$2')} OR created_at < ${past('$3')}`, limit, [
      idleMs,
      lifetimeMs,
    ]);
  }

  private async delete(
    table: string,
    condition: string,
    limit: number,
    parameters: readonly number[] = [],
  ): Promise<number> {
    const [{ deleted }] = await this.database.query<[{ deleted: number }]>(
      `WITH gone AS (
         DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT $1)) RETURNING 1)
       SELECT count(*)::int AS deleted FROM gone`,
      [limit, ...parameters],
    );
    return deleted;
  }
}
