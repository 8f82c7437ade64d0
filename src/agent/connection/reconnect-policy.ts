import { fullJitterMs } from '../../kernel/backoff.js';
import type { Clock, Rng } from '../../kernel/clock.js';

/** docs/reference/link.md#reconnect: `rand(0, min(60 s, 1 s · 2ⁿ))`; n starts over after 30 s of stability. */
const BACKOFF = { baseMs: 1_000, maxMs: 60_000 };
const STABLE_AFTER_MS = 30_000;
/** Two machines with one identity must not supersede each other in a loop (docs/reference/security.md#nodes). */
const SUPERSEDED_PAUSE_MS = 60_000;
const SUPERSEDED_SPREAD_MS = 30_000;
/** Only an update of the node or the relay helps, which does not happen within seconds. */
const INCOMPATIBLE_PAUSE_MS = 600_000;
const INCOMPATIBLE_SPREAD_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;
/** A single refusal may come from a proxy in maintenance. */
const REFUSALS_BEFORE_STOP = 2;

/** Bounds the rate of reconnects when the clock jumps repeatedly. */
const RESUME_PACE_MS = 5_000;

/** Why there is no link now. */
export type LinkOutcome =
  | { readonly kind: 'lost'; readonly retryAfterMs?: number | undefined }
  /** The replica has a link of this process already (421). */
  | { readonly kind: 'duplicate_home' }
  /** The relay refused the node's identity (401, 403). */
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'revoked' }
  /** Another process with the same identity connected. */
  | { readonly kind: 'superseded' }
  /** Node and relay have no link version in common. */
  | { readonly kind: 'incompatible' };

/** Decides how long to wait before the next connection. Clock and random source are injected. */
export class ReconnectPolicy {
  private attempt = 0;
  private refusals = 0;
  private connectedSinceMs: number | undefined;
  private resumedAtMs: number | undefined;
  private last: LinkOutcome['kind'] | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly random: Rng,
  ) {}

  /** The relay admitted the node. */
  connected(): void {
    this.connectedSinceMs = this.clock.monotonicMs();
    this.refusals = 0;
    this.last = undefined;
  }

  /**
   * The computer was suspended: earlier failures say nothing about the current network.
   * @returns milliseconds to wait; null after a refusal by the relay, which a suspend does not change
   */
  resumed(): number | null {
    if (this.last === 'superseded' || this.last === 'incompatible' || this.last === 'unauthorized') return null;
    const nowMs = this.clock.monotonicMs();
    const last = this.resumedAtMs ?? -Infinity;
    // A reconnect that is already due later is not postponed.
    const dueMs = last >= nowMs ? last : Math.max(nowMs, last + RESUME_PACE_MS);
    this.resumedAtMs = dueMs;
    this.attempt = 0;
    return dueMs - nowMs;
  }

  /** The relay is known to be reachable: resets the back-off. */
  forgetFailures(): void {
    this.attempt = 0;
  }

  /** Milliseconds to wait; `stop` when the relay refused this node for good. */
  after(outcome: LinkOutcome): number | 'stop' {
    const since = this.connectedSinceMs;
    this.connectedSinceMs = undefined;
    this.last = outcome.kind;
    if (since !== undefined && this.clock.monotonicMs() - since >= STABLE_AFTER_MS) this.attempt = 0;
    switch (outcome.kind) {
      case 'lost':
        return Math.max(this.jitter(), Math.min(outcome.retryAfterMs ?? 0, LONGEST_WAIT_MS));
      case 'duplicate_home':
        return this.jitter();
      case 'superseded':
        return SUPERSEDED_PAUSE_MS + this.random() * SUPERSEDED_SPREAD_MS;
      case 'incompatible':
        return INCOMPATIBLE_PAUSE_MS + this.random() * INCOMPATIBLE_SPREAD_MS;
      case 'unauthorized':
        this.refusals += 1;
        return this.refusals >= REFUSALS_BEFORE_STOP ? 'stop' : this.jitter();
      case 'revoked':
        return 'stop';
    }
  }

  private jitter(): number {
    const delay = fullJitterMs(this.attempt, BACKOFF, this.random);
    this.attempt += 1;
    return delay;
  }
}
