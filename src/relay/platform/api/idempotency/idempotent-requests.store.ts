import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import type { AccountId } from '../../../../kernel/ids.js';
import { IdempotentRequestEntity } from './idempotent-request.entity.js';
import { begunBy, type BegunRequest } from './begun-requests.js';
import type { RequestDigests } from './request-digests.js';

/** Status of a request that was interrupted after its change was committed. There is no response to repeat. */
const INTERRUPTED_STATUS = 503;

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
      readonly response: Buffer | null;
    };

@Injectable()
export class IdempotentRequestsStore {
  constructor(
    @InjectRepository(IdempotentRequestEntity) private readonly requests: Repository<IdempotentRequestEntity>,
  ) {}

  /** Only one of concurrent requests with one key begins. */
  async begin(
    { accountId, digests: { key, parameters }, attempt }: BegunRequest,
    limits: IdempotencyLimits,
  ): Promise<Beginning> {
    const begun = await this.requests.query<unknown[]>(
      `INSERT INTO idempotent_request (account_id, key_digest, parameters_digest, answer)
       SELECT $1, $2, $3, $6
       WHERE (SELECT count(*) FROM idempotent_request
              WHERE account_id = $1 AND created_at > now() - $4 * interval '1 hour') < $5
       ON CONFLICT (account_id, key_digest) DO UPDATE
         SET parameters_digest = excluded.parameters_digest, created_at = now(), status = NULL, answer = excluded.answer
         WHERE idempotent_request.created_at <= now() - $4 * interval '1 hour'
       RETURNING 1`,
      [accountId, key, parameters, limits.retentionHours, limits.keysPerAccount, attempt],
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
    return {
      kind: 'known',
      sameParameters: parameters_digest.equals(parameters),
      ageMs: age_ms,
      status,
      response: answer,
    };
  }

  async finish(accountId: AccountId, { key }: RequestDigests, status: number, answer: Buffer | null): Promise<void> {
    await this.requests.update({ accountId, keyDigest: key }, { status, answer });
  }

  /** For a request that changed nothing: its key may be used again. */
  async forget(accountId: AccountId, { key }: RequestDigests): Promise<void> {
    await this.requests.delete({ accountId, keyDigest: key });
  }

  /**
   * Requests that the database was away for. What has changed nothing is forgotten. What has is kept as ended without a response: its transaction
   * has said so (`noteIdempotentChange`), and one that has not committed yet is waited for here.
   * @returns the attempts that the database knew
   */
  async interrupted(requests: readonly BegunRequest[]): Promise<readonly Buffer[]> {
    const known = await this.requests.query<{ attempt: Buffer }[]>(
      `WITH attempt AS (SELECT * FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS a (account_id, key_digest, attempt)),
            forgotten AS (
              DELETE FROM idempotent_request r USING attempt a
              WHERE r.account_id = a.account_id AND r.key_digest = a.key_digest AND r.answer = a.attempt AND r.status IS NULL
              RETURNING a.attempt),
            ended AS (
              UPDATE idempotent_request r SET status = $4, answer = NULL FROM attempt a
              WHERE r.account_id = a.account_id AND r.key_digest = a.key_digest AND r.answer = a.attempt AND r.status = 0
              RETURNING a.attempt)
       SELECT attempt FROM forgotten UNION ALL SELECT attempt FROM ended`,
      [
        requests.map(({ accountId }) => accountId),
        requests.map(({ digests }) => digests.key),
        requests.map(({ attempt }) => attempt),
        INTERRUPTED_STATUS,
      ],
    );
    return known.map(({ attempt }) => attempt);
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

/**
 * Within the transaction of a change: when its request is interrupted, this tells whether it was committed.
 * @param actor who changes something; has no effect where its request has no `Idempotency-Key`
 */
export async function noteIdempotentChange(manager: EntityManager, actor: object): Promise<void> {
  const request = begunBy(actor);
  if (request === undefined) return;
  await manager.query(
    `UPDATE idempotent_request SET status = 0
     WHERE account_id = $1 AND key_digest = $2 AND answer = $3 AND status IS NULL`,
    [request.accountId, request.digests.key, request.attempt],
  );
}
