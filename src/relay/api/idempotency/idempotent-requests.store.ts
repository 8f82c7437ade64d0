import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { AccountId } from '../../../kernel/ids.js';
import { IdempotentRequestEntity } from './idempotent-request.entity.js';
import type { RequestDigests } from './request-digests.js';

export interface IdempotencyLimits {
  readonly retentionHours: number;
  readonly keysPerAccount: number;
}

export type Beginning =
  | { readonly kind: 'begun' }
  /** The account has the maximum number of keys. */
  | { readonly kind: 'full' }
  | {
      readonly kind: 'known';
      readonly sameParameters: boolean;
      readonly ageMs: number;
      /** null: the outcome is not recorded. */
      readonly status: number | null;
      readonly answer: Buffer | null;
    };

@Injectable()
export class IdempotentRequestsStore {
  constructor(
    @InjectRepository(IdempotentRequestEntity) private readonly requests: Repository<IdempotentRequestEntity>,
  ) {}

  /** Of concurrent requests with one key, one begins. */
  async begin(
    accountId: AccountId,
    { key, parameters }: RequestDigests,
    limits: IdempotencyLimits,
  ): Promise<Beginning> {
    const begun = await this.requests.query<unknown[]>(
      `INSERT INTO idempotent_request (account_id, key_digest, parameters_digest)
       SELECT $1, $2, $3
       WHERE (SELECT count(*) FROM idempotent_request
              WHERE account_id = $1 AND created_at > now() - $4 * interval '1 hour') < $5
       ON CONFLICT (account_id, key_digest) DO UPDATE
         SET parameters_digest = excluded.parameters_digest, created_at = now(), status = NULL, answer = NULL
         WHERE idempotent_request.created_at <= now() - $4 * interval '1 hour'
       RETURNING 1`,
      [accountId, key, parameters, limits.retentionHours, limits.keysPerAccount],
    );
    if (begun.length > 0) return { kind: 'begun' };
    const rows = await this.requests.query<KnownRow[]>(
      `SELECT parameters_digest, status, answer, (extract(epoch FROM now() - created_at) * 1000)::float8 AS age_ms
       FROM idempotent_request WHERE account_id = $1 AND key_digest = $2`,
      [accountId, key],
    );
    const row = rows[0];
    if (row === undefined) return { kind: 'full' };
    const { parameters_digest, age_ms, status, answer } = row;
    return { kind: 'known', sameParameters: parameters_digest.equals(parameters), ageMs: age_ms, status, answer };
  }

  async finish(accountId: AccountId, { key }: RequestDigests, status: number, answer: Buffer | null): Promise<void> {
    await this.requests.update({ accountId, keyDigest: key }, { status, answer });
  }

  /** For a request that changed nothing: its key may be used again. */
  async forget(accountId: AccountId, { key }: RequestDigests): Promise<void> {
    await this.requests.delete({ accountId, keyDigest: key });
  }

  /** @returns how many were deleted, at most `limit` */
  async prune(retentionHours: number, limit: number): Promise<number> {
    const [{ pruned }] = await this.requests.query<[{ pruned: number }]>(
      `WITH gone AS (
         DELETE FROM idempotent_request WHERE (account_id, key_digest) IN (
           SELECT account_id, key_digest FROM idempotent_request
           WHERE created_at <= now() - $1 * interval '1 hour' LIMIT $2)
         RETURNING 1)
       SELECT count(*)::int AS pruned FROM gone`,
      [retentionHours, limit],
    );
    return pruned;
  }
}

interface KnownRow {
  readonly parameters_digest: Buffer;
  readonly status: number | null;
  readonly answer: Buffer | null;
  readonly age_ms: number;
}
