import { systemClock, type Clock } from '../../kernel/clock.js';
import { LruMap } from '../../kernel/lru-map.js';

interface Window {
  readonly endsAtMs: number;
  used: number;
}

export interface FixedWindowOptions {
  /** Uses of one key per window. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Keys that are counted at a time. Beyond that the least recently used one starts afresh. */
const MAX_KEYS = 100_000;

/**
 * Limits the uses of a key per window, which begins with its first use. For public routes, which must be cheap to refuse: counted in
 * this process, without timers.
 */
export class FixedWindow {
  private readonly windows = new LruMap<string, Window>(MAX_KEYS);

  constructor(
    private readonly options: FixedWindowOptions,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Counts a use if one is left. @returns the seconds to wait, or undefined when it was counted */
  take(key: string): number | undefined {
    const waitSeconds = this.peek(key);
    if (waitSeconds !== undefined) return waitSeconds;
    const known = this.current(key);
    if (known !== undefined) known.used += 1;
    else {
      const endsAtMs = this.clock.monotonicMs() + this.options.windowSeconds * 1_000;
      this.windows.set(key, { endsAtMs, used: 1 });
    }
    return undefined;
  }

  /** As `take`, without counting. */
  peek(key: string): number | undefined {
    const window = this.current(key);
    if (window === undefined || window.used < this.options.limit) return undefined;
    return Math.max(1, Math.ceil((window.endsAtMs - this.clock.monotonicMs()) / 1_000));
  }

  private current(key: string): Window | undefined {
    const window = this.windows.get(key);
    return window !== undefined && this.clock.monotonicMs() < window.endsAtMs ? window : undefined;
  }
}
