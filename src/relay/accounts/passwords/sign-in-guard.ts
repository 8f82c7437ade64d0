import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { addressBlock } from '../../platform/http/client-origin.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { AddressLimits, tooManyTries } from '../../platform/limits/address-limits.js';
import { SignInFailuresStore, type FailureSubject } from './sign-in-failures.store.js';

const PAUSES = { free: 5, firstPauseMs: 1_000, longestPauseMs: 900_000 };
const FAILURES_PER_HOUR = 100;
/** Slows down guessing from many addresses without locking out the user. */
const SOFT_LOCK_MS = 3_000;
const DELAYED_AT_ONCE = 64;
const SWEEP_EVERY = 256;

/**
 * Limits password attempts (docs/reference/security.md#people), in the same way for known and unknown e-mail addresses.
 */
@Injectable()
export class SignInGuard {
  private delayed = 0;
  private tries = 0;

  constructor(
    private readonly addresses: AddressLimits,
    private readonly failures: SignInFailuresStore,
  ) {}

  /** @throws FerryError `rate_limit_exceeded`, `overloaded` */
  async admit(email: string, address: string): Promise<void> {
    this.addresses.count('sign-in', address);
    const pauseMs = await this.failures.countUnlessPaused(pairOf(email, address), PAUSES);
    if (pauseMs !== undefined) throw tooManyTries(Math.max(1, Math.ceil(pauseMs / 1_000)));
    const inHour = await this.failures.countInHour(['email', email]);
    this.tries += 1;
    if (this.tries % SWEEP_EVERY === 0) await this.failures.forgetOld();
    if (inHour > FAILURES_PER_HOUR) await this.softLock();
  }

  /** Resets the pauses after a successful attempt. */
  async succeeded(email: string, address: string): Promise<void> {
    await this.failures.forget(pairOf(email, address));
    await this.failures.takeBack(['email', email]);
  }

  private async softLock(): Promise<void> {
    if (this.delayed >= DELAYED_AT_ONCE) throw new FerryError('overloaded');
    this.delayed += 1;
    try {
      await delay(SOFT_LOCK_MS);
    } finally {
      this.delayed -= 1;
    }
  }
}

const pairOf = (email: string, address: string): FailureSubject => ['email-and-address', email, addressBlock(address)];
