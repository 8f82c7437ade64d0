import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { AccountId } from '../../../kernel/ids.js';
import { RequestExplanationEntity } from './request-explanation.entity.js';
import type { ExplainedRequestRecord } from './request-record.js';

export interface StoredExplanation {
  readonly accountId: AccountId;
  /** Unix milliseconds. */
  readonly endedAtMs: number;
  readonly record: ExplainedRequestRecord;
}

@Injectable()
export class ExplanationsStore {
  constructor(
    @InjectRepository(RequestExplanationEntity) private readonly explanations: Repository<RequestExplanationEntity>,
  ) {}

  /** Idempotent by request id. Those of a deleted account are left out. */
  async save(explanations: readonly StoredExplanation[]): Promise<void> {
    const rows = explanations.map(({ accountId, endedAtMs, record }) => ({
      account_id: accountId,
      id: record.id,
      ended_at: new Date(endedAtMs).toISOString(),
      record,
    }));
    await this.explanations.query(
      `INSERT INTO request_explanation (account_id, id, ended_at, record)
       SELECT given.account_id, given.id, given.ended_at, given.record
       FROM jsonb_to_recordset($1::jsonb) AS given(account_id text, id text, ended_at timestamptz, record jsonb)
       JOIN account ON account.id = given.account_id
       ON CONFLICT ON CONSTRAINT request_explanation_pk DO NOTHING`,
      [JSON.stringify(rows)],
    );
  }

  async find(accountId: AccountId, id: string): Promise<ExplainedRequestRecord | undefined> {
    const rows = await this.explanations.query<{ record: ExplainedRequestRecord }[]>(
      `SELECT record FROM request_explanation WHERE account_id = $1 AND id = $2`,
      [accountId, id],
    );
    return rows[0]?.record;
  }

  /**
   * Deletes those beyond the newest `kept` of each account and those that are older, at most `limit`.
   * @returns how many were deleted
   */
  async prune(kept: number, olderThanDays: number, limit: number): Promise<number> {
    const [{ deleted }] = await this.explanations.query<[{ deleted: number }]>(
      `WITH gone AS (
         DELETE FROM request_explanation WHERE ctid = ANY (ARRAY(
           SELECT old.row FROM account CROSS JOIN LATERAL (
             (SELECT ctid AS row FROM request_explanation WHERE account_id = account.id
              ORDER BY ended_at DESC, id DESC OFFSET $1 LIMIT $3)
             UNION
             (SELECT ctid AS row FROM request_explanation
              WHERE account_id = account.id AND ended_at < now() - $2 * interval '1 day' ORDER BY ended_at LIMIT $3)
           ) AS old LIMIT $3)) RETURNING 1)
       SELECT count(*)::int AS deleted FROM gone`,
      [kept, olderThanDays, limit],
    );
    return deleted;
  }
}
