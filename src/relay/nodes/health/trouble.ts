import type { Clock } from '../../../kernel/clock.js';
import type { TimerHandle, TimerWheel } from '../../platform/timing/timer-wheel.js';
import type { Health, SuspicionReason } from './health-view.js';

export interface HealthLimits {
  /** Failed runs in a row, each begun after the one before had failed, that make a node or a model suspect. */
  readonly healthFailureThreshold: number;
  /** It gets its first probe after this; twice as long after each probe that fails. */
  readonly healthProbeAfterMs: number;
  readonly healthProbeMaxMs: number;
}

export interface TroubleOptions {
  readonly clock: Clock;
  readonly timers: Pick<TimerWheel, 'schedule'>;
  readonly limits: HealthLimits;
}

/** As long as the last failure is this old, it says nothing about the next run. */
const FAILURES_FORGOTTEN_MS = 10 * 60_000;
/** In probation for so long without a request that proves anything: what was wrong then may be over now. */
const TRUSTED_AGAIN_AFTER_MS = 60_000;

interface Suspicion extends Health {
  readonly reason: SuspicionReason;
  sinceMs: number;
  waitMs: number;
  state: 'suspect' | 'probing';
  /** The run whose first event was missed, as long as it waits. */
  missed: object | null;
  /** The run that is the probe. */
  probe: object | null;
  /** Until the probe, then until it is trusted again: no suspicion stays for ever where nobody asks. */
  timer: TimerHandle | null;
}

/** What is wrong in one place: with a node, or with one model on it. */
export class Trouble {
  private failures = 0;
  private lastFailureAtMs: number;
  private suspicion: Suspicion | null = null;

  /** @param onChange of its health, after the change */
  constructor(
    private readonly options: TroubleOptions,
    private readonly onChange: (health: Health | null) => void,
  ) {
    this.lastFailureAtMs = options.clock.monotonicMs();
  }

  /** null: healthy. */
  get health(): Health | null {
    return this.suspicion;
  }

  get probed(): boolean {
    return (this.suspicion?.probe ?? null) !== null;
  }

  /** Nothing is wrong, and nothing was lately. */
  get over(): boolean {
    return this.suspicion === null && this.failures === 0;
  }

  started(run: object): void {
    if (this.suspicion?.state === 'probing') this.suspicion.probe ??= run;
  }

  left(run: object): void {
    if (this.suspicion?.probe === run) this.suspicion.probe = null;
    if (this.suspicion?.missed === run) this.suspicion.missed = null;
  }

  /** A run was completed. What was under way before the trouble says nothing about what is wrong since. */
  worked(startedAtMs: number): void {
    if (this.suspicion !== null && startedAtMs < this.suspicion.sinceMs) return;
    this.failures = 0;
    this.dismiss();
  }

  /** Something came of the node: it does not stall. */
  spoke(): void {
    if (this.suspicion?.reason === 'stalled') this.dismiss();
  }

  failed(startedAtMs: number): void {
    const { clock, limits } = this.options;
    const nowMs = clock.monotonicMs();
    if (startedAtMs < this.lastFailureAtMs && this.failures > 0) return;
    if (nowMs - this.lastFailureAtMs > FAILURES_FORGOTTEN_MS) this.failures = 0;
    this.failures += 1;
    this.lastFailureAtMs = nowMs;
    if (this.suspicion !== null || this.failures >= limits.healthFailureThreshold) {
      this.suspect('failures', startedAtMs, null);
    }
  }

  /** A place whose probe went wrong waits twice as long; whatever else older runs do changes nothing. @param missed the run that waits */
  suspect(reason: SuspicionReason, startedAtMs: number, missed: object | null): void {
    const { clock, limits, timers } = this.options;
    const before = this.suspicion;
    if (before !== null && (before.state === 'suspect' || startedAtMs < before.sinceMs)) return;
    before?.timer?.cancel();
    const waitMs = before === null ? limits.healthProbeAfterMs : Math.min(limits.healthProbeMaxMs, before.waitMs * 2);
    const sinceMs = clock.monotonicMs();
    const suspicion: Suspicion = { reason, sinceMs, waitMs, state: 'suspect', missed, probe: null, timer: null };
    this.suspicion = suspicion;
    suspicion.timer = timers.schedule(waitMs, () => {
      this.waited(suspicion);
    });
    this.onChange(suspicion);
  }

  /** Ends the suspicion, if there is one. Idempotent. */
  dismiss(): void {
    if (this.suspicion === null) return;
    this.suspicion.timer?.cancel();
    this.suspicion = null;
    this.onChange(null);
  }

  private waited(suspicion: Suspicion): void {
    if (suspicion.state === 'suspect') {
      suspicion.state = 'probing';
      suspicion.timer?.restart(TRUSTED_AGAIN_AFTER_MS);
      this.onChange(suspicion);
    } else if (suspicion.probe !== null || suspicion.missed !== null) {
      suspicion.timer?.restart(TRUSTED_AGAIN_AFTER_MS);
    } else {
      // Trusted, but not proved: with the next failure it is suspect again.
      this.failures = Math.min(this.failures, this.options.limits.healthFailureThreshold - 1);
      this.dismiss();
    }
  }
}
