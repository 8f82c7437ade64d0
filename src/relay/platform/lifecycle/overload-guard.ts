import { getHeapStatistics } from 'node:v8';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Logger } from '@nestjs/common';
import type { Rng } from '../../../kernel/clock.js';
import { EventLoopDelay } from '../../../kernel/metrics/event-loop-delay.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { processMeters } from '../metrics/relay-meters.js';
import type { ReadinessCheck } from './readiness-registry.js';

export interface OverloadLimits {
  /** 99th percentile within one window; 0: no limit. */
  readonly overloadLoopDelayMs: number;
  /** Of the heap at which the process ends; 0: no limit. */
  readonly overloadHeapPercent: number;
}

/** What is measured of the process. */
export interface ProcessLoad {
  /** 99th percentile since the last call. */
  loopDelayMs(): number;
  heapPercent(): number;
  stop(): void;
}

const WINDOW_MS = 2_000;
/** One long pause of the garbage collector is no overload. */
const WINDOWS_IN_A_ROW = 2;
const LOOP_RESOLUTION_MS = 20;
/** Clients that were refused together must not come back together. */
const SHORTEST_RETRY_SECONDS = 1;
const LONGEST_RETRY_SECONDS = 5;

/**
 * Refuses new inference requests while the event loop is late or the heap nearly full, before running ones suffer
 * (docs/reference/limits.md#overload). Only while requests run: with none, a refusal would help nobody and could last for ever.
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
    private readonly load: ProcessLoad = measureProcess(),
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
    this.load.stop();
  }

  /** @throws FerryError `overloaded`, with a random Retry-After */
  admit(): void {
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
    const delayMs = this.load.loopDelayMs();
    const heapPercent = this.load.heapPercent();
    if (overloadLoopDelayMs > 0 && delayMs > overloadLoopDelayMs)
      return `its event loop is ${Math.round(delayMs)} ms late`;
    if (overloadHeapPercent > 0 && heapPercent > overloadHeapPercent)
      return `${Math.round(heapPercent)} % of its heap is in use`;
    return null;
  }
}

function measureProcess(): ProcessLoad {
  const loop = new EventLoopDelay(LOOP_RESOLUTION_MS);
  return {
    loopDelayMs: () => {
      const delayMs = loop.percentileMs(99);
      loop.reset();
      return delayMs;
    },
    heapPercent: () => {
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
      return (100 * used) / limit;
    },
    stop: () => {
      loop.stop();
    },
  };
}
