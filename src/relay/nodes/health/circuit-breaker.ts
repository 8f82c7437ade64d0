import type { Clock } from '../../../kernel/clock.js';
import type { TimerHandle, TimerWheel } from '../../platform/timing/timer-wheel.js';
import type { Health, SuspicionReason } from './health-view.js';

export interface HealthLimits {
  /** Consecutive failures, each of a request started after the previous failure, that make a node or model suspect. */
  readonly healthFailureThreshold: number;
  /** Delay of the first probe; doubled after each failed probe. */
  readonly healthProbeAfterMs: number;
  readonly healthProbeMaxMs: number;
}

export interface CircuitBreakerOptions {
  readonly clock: Clock;
  readonly timers: Pick<TimerWheel, 'schedule'>;
  readonly limits: HealthLimits;
}

/** Age at which failures are forgotten. */
const FAILURES_FORGOTTEN_MS = 10 * 60_000;
/** How long a model stays on probation without a request. */
const PROBATION_MS = 60_000;

interface Suspicion extends Health {
  readonly reason: SuspicionReason;
  sinceMs: number;
  waitMs: number;
  state: 'suspect' | 'probing';
  /** The request whose first event is overdue, while it waits. */
  missed: object | null;
  /** The request that serves as the probe. */
  probe: object | null;
  /** Until the probe, then until the end of probation, which ends also without requests. */
  timer: TimerHandle | null;
}

/** Circuit breaker of a node, or of one model on it. */
export class CircuitBreaker {
  private failures = 0;
  private lastFailureAtMs: number;
  private suspicion: Suspicion | null = null;

  /** @param onChange called after a change of health */
  constructor(
    private readonly options: CircuitBreakerOptions,
    private readonly onChange: (health: Health | null) => void,
  ) {
    this.lastFailureAtMs = options.clock.monotonicMs();
  }

  /** null when healthy. */
  get health(): Health | null {
    return this.suspicion;
  }

  get probed(): boolean {
    return (this.suspicion?.probe ?? null) !== null;
  }

  /** Whether there are no recent failures. */
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

  /** A request was completed. One started before the failure does not prove recovery. */
  worked(startedAtMs: number): void {
    if (this.suspicion !== null && startedAtMs < this.suspicion.sinceMs) return;
    this.failures = 0;
    this.dismiss();
  }

  /** The node sent an event: it is not stalled. */
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

  /** A failed probe doubles the delay; failures of older requests are ignored. @param missed the request that still waits */
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

  /** Resets to healthy. Idempotent. */
  dismiss(): void {
    if (this.suspicion === null) return;
    this.suspicion.timer?.cancel();
    this.suspicion = null;
    this.onChange(null);
  }

  private waited(suspicion: Suspicion): void {
    if (suspicion.state === 'suspect') {
      suspicion.state = 'probing';
      suspicion.timer?.restart(PROBATION_MS);
      this.onChange(suspicion);
    } else if (suspicion.probe !== null || suspicion.missed !== null) {
      suspicion.timer?.restart(PROBATION_MS);
    } else {
      // Healthy but unproven: the next failure makes it suspect again.
      this.failures = Math.min(this.failures, this.options.limits.healthFailureThreshold - 1);
      this.dismiss();
    }
  }
}
