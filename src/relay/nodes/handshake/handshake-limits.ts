import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { NodeId } from '../../../kernel/ids.js';
import { addressBlock } from '../../platform/http/client-origin.js';

export interface HandshakeRates {
  readonly linkUpgradesPerMinute: number;
  readonly linkFailedAuthenticationsPerMinute: number;
}

const MINUTE_SECONDS = 60;
const ENROLMENTS_PER_MINUTE = 60;

/**
 * Counts connections per node, enrolments and failures per address (docs/reference/security.md#nodes). Answers are the seconds to wait,
 * or undefined.
 */
export class HandshakeLimits {
  readonly #upgrades: RateLimiterMemory;
  readonly #failures: RateLimiterMemory;
  readonly #enrolments = new RateLimiterMemory({ points: ENROLMENTS_PER_MINUTE, duration: MINUTE_SECONDS });

  constructor({ linkUpgradesPerMinute, linkFailedAuthenticationsPerMinute }: HandshakeRates) {
    this.#upgrades = new RateLimiterMemory({ points: linkUpgradesPerMinute, duration: MINUTE_SECONDS });
    this.#failures = new RateLimiterMemory({ points: linkFailedAuthenticationsPerMinute, duration: MINUTE_SECONDS });
  }

  async upgrade(nodeId: NodeId): Promise<number | undefined> {
    return this.#consume(this.#upgrades, nodeId);
  }

  async enrolment(address: string): Promise<number | undefined> {
    return this.#consume(this.#enrolments, addressBlock(address));
  }

  async failed(address: string): Promise<number | undefined> {
    return this.#consume(this.#failures, addressBlock(address));
  }

  /** Whether the address has used up its failures, without counting one. */
  async blocked(address: string): Promise<number | undefined> {
    const state = await this.#failures.get(addressBlock(address));
    return state !== null && state.remainingPoints <= 0 ? seconds(state) : undefined;
  }

  async #consume(limiter: RateLimiterMemory, key: string): Promise<number | undefined> {
    try {
      await limiter.consume(key);
      return undefined;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return seconds(refusal);
      throw refusal;
    }
  }
}

const seconds = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1_000));
