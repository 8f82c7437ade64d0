import type { OnApplicationShutdown } from '@nestjs/common';
import { Logger } from '@nestjs/common';
import type { Rng } from '../../../kernel/clock.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { processMeters } from '../metrics/relay-meters.js';
import { MeasuredLoad, type LongTurn, type ProcessLoad } from './process-load.js';
import type { ReadinessCheck } from './readiness-registry.js';

export interface OverloadLimits {
  /** Longest turn of the event loop, and longest delay of most responses, while the process has its core for itself; 0: no limit. */
  readonly overloadLoopDelayMs: number;
  /** Share of the heap size at which the process ends; 0: no limit. */
  readonly overloadHeapPercent: number;
}

const WINDOW_MS = 250;
/** All must show it, for this long together: one pause of the garbage collector, or one long body, is no overload. */
const WINDOWS_IN_A_ROW = 2;
const LEAST_MS = 700;
const MOST_WINDOWS = 3;
/**
 * A turn of the event loop reads all requests that have arrived. Of a full relay it is over before windows show it: requests behind so many others,
 * and a turn of so many times the limit, are refused in the same turn.
 */
const REQUESTS_IN_LONG_TURN = 50;
const LIMITS_IN_LONG_TURN = 4;
/** Of the responses that ended in a window. Nodes say how long they took, and a single one may be wrong. */
const LATE_SHARE = 0.5;
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
  readonly elapsedMs: number;
  readonly full: boolean;
  /** The longest turn of the event loop, or the least delay of late responses where most were late. */
  readonly lateMs: number;
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
  /** In the current window. */
  private responses = 0;
  private lateResponses = 0;
  private leastLateMs = Infinity;

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
    const problem = this.problemNow(this.load.timeTurn());
    if (problem === null) return;
    processMeters.limitsHit.add(1, 'overload');
    const spread = LONGEST_RETRY_SECONDS - SHORTEST_RETRY_SECONDS;
    throw new FerryError('overloaded', `The relay is overloaded: ${problem}.`, {
      retryAfterSeconds: SHORTEST_RETRY_SECONDS + this.random() * spread,
    });
  }

  /**
   * A response has ended. What waits in the sockets of nodes does not show in turns of the event loop: each turn reads a piece of it.
   * @param delayMs from its node to here, and back
   */
  passed(delayMs: number): void {
    this.responses += 1;
    if (delayMs <= this.limits.overloadLoopDelayMs) return;
    this.lateResponses += 1;
    this.leastLateMs = Math.min(this.leastLateMs, delayMs);
  }

  /** Once per window. */
  check(): void {
    const running = this.running();
    this.windows = [...this.windows.slice(1 - MOST_WINDOWS), this.measure()];
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

  /**
   * Once requests are refused, the last window decides. The more is accepted before the first refusal, the longer everything that was accepted
   * takes: at twice of what the relay can do, a second of it is a second of delay.
   */
  private find(): string | null {
    const { overloadLoopDelayMs, overloadHeapPercent } = this.limits;
    const inARow = this.problem === null ? this.enough() : this.windows.slice(-1);
    if (inARow.length === 0) return null;
    const lateMs = Math.min(...inARow.map((window) => window.lateMs));
    if (overloadLoopDelayMs > 0 && lateMs > overloadLoopDelayMs && inARow.every(({ full }) => full))
      return `it uses all of its core, and is ${Math.round(lateMs)} ms late`;
    const heapPercent = Math.min(...inARow.map((window) => window.heapPercent));
    if (overloadHeapPercent > 0 && heapPercent > overloadHeapPercent)
      return `${Math.round(heapPercent)} % of its heap is in use`;
    return null;
  }

  /** @returns the fewest last windows that can show an overload; none before there are so many */
  private enough(): readonly Window[] {
    let elapsedMs = 0;
    for (let count = 1; count <= this.windows.length; count += 1) {
      elapsedMs += this.windows.at(-count)?.elapsedMs ?? 0;
      if (elapsedMs >= LEAST_MS && count >= WINDOWS_IN_A_ROW) return this.windows.slice(-count);
    }
    return [];
  }

  private problemNow(turn: LongTurn | null): string | null {
    if (this.problem !== null || turn === null) return this.problem;
    const { overloadLoopDelayMs: limitMs } = this.limits;
    const { elapsedMs, coreShare, requests } = turn;
    if (limitMs === 0 || elapsedMs < LIMITS_IN_LONG_TURN * limitMs) return null;
    if (requests < REQUESTS_IN_LONG_TURN || coreShare < FULL_CORE_SHARE) return null;
    return `its event loop has been at work for ${Math.round(elapsedMs)} ms`;
  }

  private measure(): Window {
    const { elapsedMs, loopShare, coreShare, longestTurnMs } = this.load.take();
    const { responses, lateResponses, leastLateMs } = this;
    this.responses = 0;
    this.lateResponses = 0;
    this.leastLateMs = Infinity;
    return {
      elapsedMs,
      full: loopShare >= FULL_LOOP_SHARE && coreShare >= FULL_CORE_SHARE,
      lateMs: lateResponses > LATE_SHARE * responses ? Math.max(longestTurnMs, leastLateMs) : longestTurnMs,
      heapPercent: this.load.heapPercent(),
    };
  }
}
