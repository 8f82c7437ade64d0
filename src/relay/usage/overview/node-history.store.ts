import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { AccountId, NodeId } from '../../../kernel/ids.js';
import type { SampledRange } from '../../nodes/samples/node-samples.store.js';

export interface ModelTokens {
  readonly bucket: number;
  readonly model: string | null;
  readonly name: string | null;
  readonly tokens: number;
}

@Injectable()
export class NodeHistoryStore {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** Output tokens of requests by the bucket in which they ended. Those that ran for more than an hour before it are left out. */
  tokens(accountId: AccountId, nodeId: NodeId, range: SampledRange): Promise<ModelTokens[]> {
    const { start, bucketSeconds, buckets } = range;
    return this.database.query<ModelTokens[]>(
      `SELECT bucket, model, max(name) AS name, sum(output_tokens)::float8 AS tokens FROM (
         SELECT floor(extract(epoch FROM started_at + duration_ms * interval '1 millisecond' - $3::timestamptz) / $4)::int AS bucket,
                model, model_name AS name, output_tokens
         FROM request_log
         WHERE account_id = $1 AND node_id = $2 AND output_tokens > 0
           AND started_at >= $3::timestamptz - interval '1 hour'
           AND started_at < $3::timestamptz + $5 * interval '1 second'
       ) AS ended WHERE bucket >= 0 AND bucket < $6
       GROUP BY bucket, model ORDER BY bucket`,
      [accountId, nodeId, start, bucketSeconds, bucketSeconds * buckets, buckets],
    );
  }
}
