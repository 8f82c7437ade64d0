import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { addressBlock } from '../../platform/http/client-origin.js';

const MINUTE_SECONDS = 60;

/** Public routes that cost us something, and how often one address may call them. */
const allowed = {
  'sign-in': { points: 30, duration: MINUTE_SECONDS },
  'sign-up': { points: 10, duration: 60 * MINUTE_SECONDS },
  'device-login': { points: 10, duration: MINUTE_SECONDS },
  'device-approval': { points: 10, duration: MINUTE_SECONDS },
} as const;

/** Counted in this process, before anything else: these limits are there to keep noise away from the database, too. */
@Injectable()
export class AddressLimits {
  readonly #limiters = Object.fromEntries(
    Object.entries(allowed).map(([what, options]) => [what, new RateLimiterMemory({ ...options, keyPrefix: what })]),
  ) as Record<keyof typeof allowed, RateLimiterMemory>;

  /** @throws FerryError `rate_limit_exceeded` with the seconds to wait */
  async count(what: keyof typeof allowed, address: string): Promise<void> {
    try {
      await this.#limiters[what].consume(addressBlock(address));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooManyTries(refusal.msBeforeNext);
    }
  }
}

export const tooManyTries = (waitMs: number): FerryError =>
  new FerryError('rate_limit_exceeded', 'Too many tries. Wait before the next one.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
