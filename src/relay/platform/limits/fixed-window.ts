import { systemClock, type Clock } from '../../../kernel/clock.js';
import { LruMap } from '../../../kernel/lru-map.js';

interface Window {
  readonly endsAtMs: number;
  used: number;
}

export interface FixedWindowOptions {
  /** Uses of one key per window. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Counted keys; the least recently used one is evicted and starts at zero again. */
const MAX_KEYS = 100_000;

/**
 * Limits the uses of a key per window, which begins with its first use. For public routes, where refusals must be cheap: in memory, no
 * timers.
 */
export class FixedWindow {
  private readonly windows = new LruMap<string, Window>(MAX_KEYS);

  constructor(
    private readonly options: FixedWindowOptions,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Counts a use if one is left. @returns the seconds to wait, or undefined when it was counted */
  take(key: string): number | undefined {
    const { limit, windowSeconds } = this.options;
    const nowMs = this.clock.monotonicMs();
    const window = this.windows.get(key);
    if (window === undefined || nowMs >= window.endsAtMs) {
      this.windows.set(key, { endsAtMs: nowMs + windowSeconds * 1_000, used: 1 });
      return undefined;
    }
    if (window.used >= limit) return secondsLeft(window, nowMs);
    window.used += 1;
    return undefined;
  }

  /** As `take`, without counting. */
  peek(key: string): number | undefined {
    const nowMs = this.clock.monotonicMs();
    const window = this.windows.get(key);
    if (window === undefined || nowMs >= window.endsAtMs || window.used < this.options.limit) return undefined;
    return secondsLeft(window, nowMs);
  }
}

const secondsLeft = ({ endsAtMs }: Window, nowMs: number): number => Math.max(1, Math.ceil((endsAtMs - nowMs) / 1_000));
