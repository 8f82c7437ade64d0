import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { SignInFailureEntity } from './sign-in-failure.entity.js';

/** Failures are counted per e-mail address and network, and per e-mail address. */
export type FailureSubject = readonly ['email-and-address', email: string, block: string] | readonly ['email', string];

export interface FailureLimits {
  /** Failures without a pause. */
  readonly free: number;
  /** The pause after the first failure beyond `free`; doubled by each further one. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

const FORGOTTEN_AFTER = `interval '1 day'`;

/** Counters in the database, so that they are exact across replicas (docs/reference/security.md#people). */
@Injectable()
export class SignInFailuresStore {
  constructor(@InjectRepository(SignInFailureEntity) private readonly failures: Repository<SignInFailureEntity>) {}

  /**
   * Counts a try as a failure before it is made, so that concurrent tries all count; a success takes it back.
   * @returns milliseconds to wait when a try is refused, which counts nothing
   */
  async countUnlessPaused(subject: FailureSubject, limits: FailureLimits): Promise<number | undefined> {
    const { free, firstPauseMs, longestPauseMs } = limits;
    const pause = `least($4, $3 * power(2, least(f.failures - $2, 30))) * interval '1 millisecond'`;
    const parameters = [keyOf(subject), free, firstPauseMs, longestPauseMs];
    const counted = await this.failures.query<unknown[]>(
      `INSERT INTO sign_in_failure AS f (key, failures, first_failed_at, last_failed_at) VALUES ($1, 1, now(), now())
       ON CONFLICT (key) DO UPDATE SET
         failures = CASE WHEN f.last_failed_at < now() - ${FORGOTTEN_AFTER} THEN 1 ELSE f.failures + 1 END,
         last_failed_at = now()
       WHERE f.failures < $2 OR f.last_failed_at + ${pause} <= now()
       RETURNING 1`,
      parameters,
    );
    if (counted.length > 0) return undefined;
    const [left] = await this.failures.query<{ ms: number }[]>(
      `SELECT (extract(epoch FROM f.last_failed_at + ${pause} - now()) * 1000)::float8 AS ms
       FROM sign_in_failure f WHERE key = $1`,
      parameters,
    );
    return Math.max(0, left?.ms ?? 0);
  }

  /** Counts in a window of one hour that begins with the first failure. @returns the count of the window */
  async countInHour(subject: FailureSubject): Promise<number> {
    const [row] = await this.failures.query<{ failures: number }[]>(
      `INSERT INTO sign_in_failure AS f (key, failures, first_failed_at, last_failed_at) VALUES ($1, 1, now(), now())
       ON CONFLICT (key) DO UPDATE SET
         failures = CASE WHEN f.first_failed_at < now() - interval '1 hour' THEN 1 ELSE f.failures + 1 END,
         first_failed_at = CASE WHEN f.first_failed_at < now() - interval '1 hour' THEN now() ELSE f.first_failed_at END,
         last_failed_at = now()
       RETURNING failures`,
      [keyOf(subject)],
    );
    return row?.failures ?? 0;
  }

  async takeBack(subject: FailureSubject): Promise<void> {
    await this.failures.query('UPDATE sign_in_failure SET failures = greatest(0, failures - 1) WHERE key = $1', [
      keyOf(subject),
    ]);
  }

  async forget(subject: FailureSubject): Promise<void> {
    await this.failures.delete({ key: keyOf(subject) });
  }

  async forgetOld(): Promise<void> {
    await this.failures.query(`DELETE FROM sign_in_failure WHERE last_failed_at < now() - ${FORGOTTEN_AFTER}`);
  }
}

const keyOf = (subject: FailureSubject): Buffer =>
  Buffer.from(hash('sha256', `ferry/sign-in-failure/v1\0${subject.join('\0')}`, 'hex'), 'hex');
