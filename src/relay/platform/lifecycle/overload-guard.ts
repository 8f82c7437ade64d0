import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Logger } from '@nestjs/common';
import type { Rng } from '../../../kernel/clock.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { processMeters } from '../metrics/relay-meters.js';
import { MeasuredLoad, type ProcessLoad } from './process-load.js';
import type { ReadinessCheck } from './readiness-registry.js';

export interface OverloadLimits {
  /** Longest turn of the event loop while the process has its core for itself; 0: no limit. */
  readonly overloadLoopDelayMs: number;
  /** Of the heap at which the process ends; 0: no limit. */
  readonly overloadHeapPercent: number;
}

const WINDOW_MS = 2_000;
/** One long pause of the garbage collector is no overload. */
const WINDOWS_IN_A_ROW = 2;
/** Above this share of the time the event loop hardly ever waited for something to do. */
const FULL_LOOP_SHARE = 0.95;
/**
 * Of a core: the process itself did the work. Beside another busy program it gets half of a core, and its event loop is as late then as with too
 * many requests; to refuse some would not make it faster.
 */
const FULL_CORE_SHARE = 0.8;
/** Clients that were refused together must not come back together. */
const SHORTEST_RETRY_SECONDS = 1;
const LONGEST_RETRY_SECONDS = 5;

/**
 * Refuses new inference requests while the process's own work makes the event loop late, or the heap is nearly full, before running ones suffer
 * (docs/reference/limits.md#overload). Lateness that other programs cause refuses none. Only while requests run: with none, a refusal would help
 * nobody and could last for ever.
 */
export class OverloadGuard implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Overload');
  private timer: NodeJS.Timeout | undefined;
  private windows = 0;
  private problem: string | null = null;
  private running: () => number = () => 0;

  constructor(
    private readonly limits: OverloadLimits,
    private readonly random: Rng = Math.random,
    private readonly load: ProcessLoad = new MeasuredLoad(),
  ) {}

  /** Set by the feature that runs the requests. */
  countRunningBy(running: () => number): void {
    this.running = running;
  }

  /** Degraded while new requests are refused: the running ones are served. */
  readonly readiness: ReadinessCheck = {
    name: 'load',
    check: () =>
      Promise.resolve(this.problem === null ? { status: 'up' } : { status: 'degraded', message: this.problem }),
  };

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.check();
    }, WINDOW_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** @throws FerryError `overloaded`, with a random Retry-After */
  admit(): void {
    this.load.timeTurn();
    if (this.problem === null) return;
    processMeters.limitsHit.add(1, 'overload');
    const spread = LONGEST_RETRY_SECONDS - SHORTEST_RETRY_SECONDS;
    throw new FerryError('overloaded', `The relay is overloaded: ${this.problem}.`, {
      retryAfterSeconds: SHORTEST_RETRY_SECONDS + this.random() * spread,
    });
  }

  /** Once per window. */
  check(): void {
    const problem = this.measure();
    this.windows = problem === null ? 0 : this.windows + 1;
    const refuses = this.windows >= WINDOWS_IN_A_ROW && this.running() > 0;
    if (refuses && this.problem === null) this.logger.warn(`new requests are refused: ${problem}`);
    else if (!refuses && this.problem !== null) this.logger.log('new requests are accepted again');
    this.problem = refuses ? problem : null;
  }

  private measure(): string | null {
    const { overloadLoopDelayMs, overloadHeapPercent } = this.limits;
    const { loopShare, coreShare, longestTurnMs } = this.load.take();
    const heapPercent = this.load.heapPercent();
    const full = loopShare >= FULL_LOOP_SHARE && coreShare >= FULL_CORE_SHARE;
    if (overloadLoopDelayMs > 0 && full && longestTurnMs > overloadLoopDelayMs)
      return `it uses all of its core, and its event loop is ${Math.round(longestTurnMs)} ms late`;
    if (overloadHeapPercent > 0 && heapPercent > overloadHeapPercent)
      return `${Math.round(heapPercent)} % of its heap is in use`;
    return null;
  }
}
