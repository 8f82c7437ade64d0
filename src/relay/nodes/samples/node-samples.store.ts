import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { AccountId, NodeId } from '../../../kernel/ids.js';
import { NodeSampleEntity } from './node-sample.entity.js';

/** One minute of a node. Sizes in bytes, null where they are not reported. */
export interface NodeSample {
  readonly accountId: AccountId;
  readonly nodeId: NodeId;
  readonly slotsUsed: number;
  readonly slotsTotal: number;
  readonly memoryUsed: number | null;
  readonly memoryTotal: number | null;
  readonly gpuUsed: number | null;
  readonly gpuTotal: number | null;
}

/** Means of the samples in one bucket. */
export interface SampledBucket extends Omit<NodeSample, 'accountId' | 'nodeId'> {
  readonly bucket: number;
}

export interface SampledRange {
  readonly start: Date;
  readonly bucketSeconds: number;
  readonly buckets: number;
}

@Injectable()
export class NodeSamplesStore {
  constructor(@InjectRepository(NodeSampleEntity) private readonly samples: Repository<NodeSampleEntity>) {}

  /** Of several relays with a link to a node the first one counts. Nodes that were deleted meanwhile are left out. */
  async save(samples: readonly NodeSample[]): Promise<void> {
    const rows = samples.map((sample) => ({
      account_id: sample.accountId,
      node_id: sample.nodeId,
      slots_used: sample.slotsUsed,
      slots_total: sample.slotsTotal,
      memory_used_bytes: sample.memoryUsed,
      memory_total_bytes: sample.memoryTotal,
      gpu_used_bytes: sample.gpuUsed,
      gpu_total_bytes: sample.gpuTotal,
    }));
    await this.samples.query(
      `INSERT INTO node_sample (account_id, node_id, at, slots_used, slots_total, memory_used_bytes, memory_total_bytes,
                                gpu_used_bytes, gpu_total_bytes)
       SELECT given.account_id, given.node_id, date_trunc('minute', now()), given.slots_used, given.slots_total,
              given.memory_used_bytes, given.memory_total_bytes, given.gpu_used_bytes, given.gpu_total_bytes
       FROM jsonb_to_recordset($1::jsonb) AS given(account_id text, node_id text, slots_used real, slots_total integer,
         memory_used_bytes bigint, memory_total_bytes bigint, gpu_used_bytes bigint, gpu_total_bytes bigint)
       JOIN node ON node.account_id = given.account_id AND node.id = given.node_id
       ON CONFLICT ON CONSTRAINT node_sample_pk DO NOTHING`,
      [JSON.stringify(rows)],
    );
  }

  /** Buckets without a sample are left out. */
  async buckets(
    accountId: AccountId,
    nodeId: NodeId,
    { start, bucketSeconds, buckets }: SampledRange,
  ): Promise<readonly SampledBucket[]> {
    return this.samples.query<SampledBucket[]>(
      `SELECT floor(extract(epoch FROM at - $3::timestamptz) / $4)::int AS bucket,
              avg(slots_used)::float8 AS "slotsUsed", max(slots_total) AS "slotsTotal",
              avg(memory_used_bytes)::float8 AS "memoryUsed", max(memory_total_bytes)::float8 AS "memoryTotal",
              avg(gpu_used_bytes)::float8 AS "gpuUsed", max(gpu_total_bytes)::float8 AS "gpuTotal"
       FROM node_sample
       WHERE account_id = $1 AND node_id = $2 AND at >= $3 AND at < $3::timestamptz + $5 * interval '1 second'
       GROUP BY 1 ORDER BY 1`,
      [accountId, nodeId, start, bucketSeconds, bucketSeconds * buckets],
    );
  }

  /** Deletes older ones, at most `limit`. @returns how many were deleted */
  async prune(olderThanDays: number, limit: number): Promise<number> {
    const [{ deleted }] = await this.samples.query<[{ deleted: number }]>(
      `WITH gone AS (
         DELETE FROM node_sample WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM node_sample WHERE at < now() - $1 * interval '1 day' LIMIT $2)) RETURNING 1)
       SELECT count(*)::int AS deleted FROM gone`,
      [olderThanDays, limit],
    );
    return deleted;
  }
}
