import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { RequestLogEntity } from './request-log.entity.js';

/** Each of these columns is indexed. */
const ageColumns = { request_log: 'started_at', usage_hour: 'hour', usage_name: 'seen_at' } as const;
export type AgingTable = keyof typeof ageColumns;

@Injectable()
export class UsageRetentionStore {
  constructor(@InjectRepository(RequestLogEntity) private readonly requests: Repository<RequestLogEntity>) {}

  /** Deletes older rows, at most `limit`. @returns how many were deleted */
  async prune(table: AgingTable, olderThanDays: number, limit: number): Promise<number> {
    const [{ deleted }] = await this.requests.query<[{ deleted: number }]>(
      `WITH gone AS (
         DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ${table} WHERE ${ageColumns[table]} < now() - $1 * interval '1 day' LIMIT $2))
         RETURNING 1)
       SELECT count(*)::int AS deleted FROM gone`,
      [olderThanDays, limit],
    );
    return deleted;
  }
}
