import type { Clock } from '../../../kernel/clock.js';
import { LruMap } from '../../../kernel/lru-map.js';
import { RateMeter } from './rate-meter.js';

export interface RatePolicy {
  /** Used in the response headers. */
  readonly name: string;
  readonly perMinute: number;
}

/** The state of a policy after a request. */
export interface RateState {
  readonly policy: RatePolicy;
  readonly allowed: boolean;
  /** Requests that may be sent at once now. */
  readonly remaining: number;
  /** Until the whole burst is available again. */
  readonly resetMs: number;
  /** Until the next request is allowed; 0 when it is now. */
  readonly waitMs: number;
}

/** The burst, in seconds of the rate: `q` and `w` of `RateLimit-Policy`. */
export const BURST_SECONDS = 10;

export const burstOf = ({ perMinute }: RatePolicy): number => Math.max(1, Math.floor((perMinute * BURST_SECONDS) / 60));

const newMeter = (): RateMeter => new RateMeter(BURST_SECONDS * 1_000);

/** A rate that is counted per key and refills evenly. The least recently used of more than `maxKeys` keys is evicted. */
export class KeyedRate {
  private readonly meters: LruMap<string, RateMeter>;

  constructor(
    readonly policy: RatePolicy,
    maxKeys: number,
    private readonly clock: Clock,
  ) {
    this.meters = new LruMap(maxKeys);
  }

  /** Counts a request if it is allowed. */
  take(key: string): RateState {
    const { perMinute } = this.policy;
    const nowMs = this.clock.monotonicMs();
    const meter = this.meters.get(key) ?? newMeter();
    const waitMs = meter.waitMs(perMinute, nowMs);
    if (waitMs === 0) {
      meter.use(1, perMinute, nowMs);
      this.meters.set(key, meter);
    }
    return this.state(meter, waitMs, nowMs);
  }

  /** As `take`, without counting. */
  peek(key: string): RateState {
    const nowMs = this.clock.monotonicMs();
    const meter = this.meters.get(key) ?? newMeter();
    return this.state(meter, meter.waitMs(this.policy.perMinute, nowMs), nowMs);
  }

  private state(meter: RateMeter, waitMs: number, nowMs: number): RateState {
    const { remaining, resetMs } = meter.allowance(this.policy.perMinute, nowMs);
    return { policy: this.policy, allowed: waitMs === 0, remaining, resetMs, waitMs };
  }
}
