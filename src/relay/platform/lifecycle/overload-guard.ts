import type { OnApplicationShutdown } from '@nestjs/common';
import { Logger } from '@nestjs/common';
import type { Rng } from '../../../kernel/clock.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { processMeters } from '../metrics/relay-meters.js';
import { MeasuredLoad, type ProcessLoad } from './process-load.js';
import type { ReadinessCheck } from './readiness-registry.js';

export interface OverloadLimits {
  /** Longest turn of the event loop while the process has its core for itself; 0: no limit. */
  readonly overloadLoopDelayMs: number;
  /** Share of the heap size at which the process ends; 0: no limit. */
  readonly overloadHeapPercent: number;
}

const WINDOW_MS = 500;
/** Of 2 s in all: one pause of the garbage collector is no overload. */
const WINDOWS_IN_A_ROW = 4;
/**
 * Of the windows in a row. A turn that is longer than a window is seen by one of the two windows that it ends and begins, so not each of them can
 * have one.
 */
const LATE_WINDOWS = 2;
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

/** What one window showed. */
interface Window {
  readonly full: boolean;
  readonly turnMs: number;
  readonly heapPercent: number;
}

/**
 * Refuses new inference requests while the process's own work makes the event loop late, or the heap is nearly full, before running ones suffer
 * (docs/reference/limits.md#overload). Lateness that other programs cause refuses none. Only while requests run: with none, a refusal would help
 * nobody and could last for ever.
 */
export class OverloadGuard implements OnApplicationShutdown {
  private readonly logger = new Logger('Overload');
  /** Runs only while requests do: an idle relay is not woken. */
  private timer: NodeJS.Timeout | undefined;
  /** The last ones, at most as many as must be in a row. */
  private windows: Window[] = [];
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

  onApplicationShutdown(): void {
    this.stop();
  }

  /** @throws FerryError `overloaded`, with a random Retry-After */
  admit(): void {
    this.timer ??= this.start();
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
    const running = this.running();
    this.windows = [...this.windows.slice(1 - WINDOWS_IN_A_ROW), this.measure()];
    const problem = running === 0 ? null : this.find();
    if (problem !== null && this.problem === null) this.logger.warn(`new requests are refused: ${problem}`);
    else if (problem === null && this.problem !== null) this.logger.log('new requests are accepted again');
    this.problem = problem;
    if (running === 0) this.stop();
  }

  private start(): NodeJS.Timeout {
    this.load.take();
    this.windows = [];
    return setInterval(() => {
      this.check();
    }, WINDOW_MS).unref();
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Once requests are refused, the last two windows decide: new ones are accepted as soon as those are good. */
  private find(): string | null {
    const { overloadLoopDelayMs, overloadHeapPercent } = this.limits;
    const inARow = this.windows.slice(this.problem === null ? -WINDOWS_IN_A_ROW : -LATE_WINDOWS);
    if (this.problem === null && inARow.length < WINDOWS_IN_A_ROW) return null;
    const turns = inARow.map(({ turnMs }) => turnMs).filter((turnMs) => turnMs > overloadLoopDelayMs);
    const late = turns.length >= (this.problem === null ? LATE_WINDOWS : 1);
    if (overloadLoopDelayMs > 0 && late && inARow.every(({ full }) => full))
      return `it uses all of its core, and its event loop is ${Math.round(Math.max(...turns))} ms late`;
    const heapPercent = Math.min(...inARow.map((window) => window.heapPercent));
    if (overloadHeapPercent > 0 && heapPercent > overloadHeapPercent)
      return `${Math.round(heapPercent)} % of its heap is in use`;
    return null;
  }

  private measure(): Window {
    const { loopShare, coreShare, longestTurnMs } = this.load.take();
    return {
      full: loopShare >= FULL_LOOP_SHARE && coreShare >= FULL_CORE_SHARE,
      turnMs: longestTurnMs,
      heapPercent: this.load.heapPercent(),
    };
  }
}
