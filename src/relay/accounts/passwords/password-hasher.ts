import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { isAcceptablePassword, normalPassword } from './password.js';

/**
 * OWASP's minimum for argon2id, which is the library's default algorithm: some 30 ms and 19 MiB each (docs/reference/security.md#people).
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const MAX_CONCURRENT = 4;
const MAX_QUEUED = 32;

export interface PasswordCheck {
  readonly matches: boolean;
  /** Hashed with other parameters than the current ones: hash the password again. */
  readonly outdated: boolean;
}

/** Concurrency limit with a bounded queue; overflow is rejected with `overloaded`. */
export function boundedConcurrency(
  maxConcurrent: number,
  maxQueued: number,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const limit = pLimit(maxConcurrent);
  return (work) =>
    limit.activeCount + limit.pendingCount < maxConcurrent + maxQueued
      ? limit(work)
      : Promise.reject(new FerryError('overloaded'));
}

/** argon2id with a bound on the CPU and memory that sign-ins use. @throws FerryError `overloaded` when too many wait */
@Injectable()
export class PasswordHasher {
  protected readonly parameters = PARAMETERS;
  private readonly run = boundedConcurrency(MAX_CONCURRENT, MAX_QUEUED);
  private decoyHash: Promise<string> | undefined;

  hash(password: string): Promise<string> {
    return this.run(() => hash(normalPassword(password), this.parameters));
  }

  /** @param known undefined for an unknown e-mail address, which takes as long as a wrong password and so cannot be told from one */
  async verify(known: string | undefined, password: string): Promise<PasswordCheck> {
    // No stored password has such a length, and hashing megabytes would be a denial of service.
    if (!isAcceptablePassword(password)) return { matches: false, outdated: false };
    const compared = known ?? (await this.unguessableHash());
    const matches = await this.run(() => verify(compared, normalPassword(password)));
    return { matches: matches && known !== undefined, outdated: !this.hasCurrentParameters(compared) };
  }

  private unguessableHash(): Promise<string> {
    this.decoyHash ??= hash(randomBytes(32), this.parameters);
    return this.decoyHash;
  }

  private hasCurrentParameters(phc: string): boolean {
    const { memoryCost, timeCost, parallelism } = this.parameters;
    return phc.includes(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
  }
}
