import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { AccountId } from '../../../kernel/ids.js';
import { addressBlock } from '../../platform/http/client-origin.js';

const MINUTE_SECONDS = 60;
const CODES_PER_MINUTE = 10;
const LOOK_UPS_PER_MINUTE = 10;
/** More than twice as many as the interval asks for. */
const POLLS_PER_MINUTE = 30;

/** Answers are the seconds to wait, or undefined. */
export class DeviceCodeLimits {
  readonly #codes = new RateLimiterMemory({ points: CODES_PER_MINUTE, duration: MINUTE_SECONDS });
  readonly #lookUps = new RateLimiterMemory({ points: LOOK_UPS_PER_MINUTE, duration: MINUTE_SECONDS });
  readonly #polls = new RateLimiterMemory({ points: POLLS_PER_MINUTE, duration: MINUTE_SECONDS });

  newCode(address: string): Promise<number | undefined> {
    return consume(this.#codes, addressBlock(address));
  }

  /** By account: whoever guesses codes is signed in. */
  lookUp(accountId: AccountId): Promise<number | undefined> {
    return consume(this.#lookUps, accountId);
  }

  poll(hash: Buffer): Promise<number | undefined> {
    return consume(this.#polls, hash.toString('hex'));
  }
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<number | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
    throw refusal;
  }
}
