import type { Clock } from './clock.js';
import { FerryError } from './errors/ferry-error.js';
import { LruMap } from './lru-map.js';

export interface StaleIfErrorLimits {
  /** A value is not loaded again for this long. */
  readonly freshMs: number;
  /** While loading fails, a value is still served until it is this old. */
  readonly staleMs: number;
  readonly maxEntries: number;
  /** Loads that may run at once for different keys; one more fails at once with `overloaded`. */
  readonly maxLoads: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly loadedAtMs: number;
  /** Time until a failed load is tried again, so that a hanging source does not delay every request. */
  retryAtMs: number;
}

const PAUSE_AFTER_FAILURE_MS = 1_000;

/**
 * A loaded value is served while fresh, and longer while its source is down (docs/reference/failures.md#database-outage). Misses of one
 * key share one load.
 */
export class StaleIfErrorCache<Value extends object> {
  private readonly entries: LruMap<string, Entry<Value>>;
  /** Loads whose value will be kept. */
  private readonly loads = new Map<string, Promise<Value | undefined>>();
  /** Loads under way, including those whose value will not be kept, because they use the source, too. */
  private running = 0;

  constructor(
    private readonly limits: StaleIfErrorLimits,
    private readonly clock: Clock,
  ) {
    this.entries = new LruMap(limits.maxEntries);
  }

  /** The value if it needs no load. For the request path: allocates no promise. */
  fresh(key: string): Value | undefined {
    const entry = this.entries.get(key);
    return entry !== undefined && this.clock.monotonicMs() - entry.loadedAtMs < this.limits.freshMs
      ? entry.value
      : undefined;
  }

  /**
   * `load` resolves to undefined for a missing object: that is returned and not cached.
   * Rejects with the error of `load` when there is no value young enough to stand in.
   */
  async get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const entry = this.entries.get(key);
    const nowMs = this.clock.monotonicMs();
    if (entry !== undefined) {
      const ageMs = nowMs - entry.loadedAtMs;
      if (ageMs < this.limits.freshMs) return entry.value;
      if (nowMs < entry.retryAtMs && ageMs < this.limits.staleMs) return entry.value;
    }
    try {
      return await (this.loads.get(key) ?? this.startLoad(key, load));
    } catch (error) {
      const failedAtMs = this.clock.monotonicMs();
      if (entry === undefined || failedAtMs - entry.loadedAtMs >= this.limits.staleMs) throw error;
      entry.retryAtMs = failedAtMs + PAUSE_AFTER_FAILURE_MS;
      return entry.value;
    }
  }

  /** Whether a value that matches would still be served while loading fails. Walks all of them. */
  someInReserve(matches: (value: Value) => boolean): boolean {
    const nowMs = this.clock.monotonicMs();
    return this.entries.some(({ value, loadedAtMs }) => nowMs - loadedAtMs < this.limits.staleMs && matches(value));
  }

  /** The next `get` loads. The value of a load under way is returned to its callers and not kept. */
  delete(key: string): void {
    this.entries.delete(key);
    this.loads.delete(key);
  }

  /** As `delete`. No value of a load under way is kept, because it may have been read before the change. */
  deleteWhere(matches: (value: Value) => boolean): void {
    this.entries.deleteWhere(({ value }) => matches(value));
    this.loads.clear();
  }

  private startLoad(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    if (this.running >= this.limits.maxLoads) return Promise.reject(new FerryError('overloaded'));
    this.running += 1;
    const loading = load().then(
      (value) => {
        if (this.finish(key, loading)) this.keep(key, value);
        return value;
      },
      (error: unknown) => {
        this.finish(key, loading);
        throw error;
      },
    );
    this.loads.set(key, loading);
    return loading;
  }

  /** False when the key was deleted, and perhaps loaded again, in the meantime. */
  private finish(key: string, loading: Promise<Value | undefined>): boolean {
    this.running -= 1;
    return this.loads.get(key) === loading && this.loads.delete(key);
  }

  private keep(key: string, value: Value | undefined): void {
    if (value === undefined) this.entries.delete(key);
    else this.entries.set(key, { value, loadedAtMs: this.clock.monotonicMs(), retryAtMs: 0 });
  }
}
