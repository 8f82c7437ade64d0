import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { availableCores } from '../../../kernel/available-cores.js';

const MICROSECONDS_PER_MS = 1e3;
/** Turns are timed so often at most, and only while requests arrive. */
const TIMED_EVERY_MS = 20;

/** The process has used this much since the last call. */
export interface ProcessUse {
  /** Share of the time in which the event loop did not wait for something to do; 0 to 1. High also where other programs take the processor. */
  readonly loopShare: number;
  /** CPU time of the process by the time of a clock, relative to the one core that its event loop could use at most. */
  readonly coreShare: number;
  /** The longest turn of the event loop that was timed. */
  readonly longestTurnMs: number;
}

export interface ProcessLoad {
  /** A request has arrived: how long the loop takes to come back is timed. */
  timeTurn(): void;
  /** Measures since the last call. */
  take(): ProcessUse;
  heapPercent(): number;
}

/**
 * Reads what libuv and the system count anyway, and times turns of the loop only when a request has made one. A timer that measures its own
 * lateness would wake an idle relay 50 times a second, and cannot tell a full event loop from a processor that others use.
 */
export class MeasuredLoad implements ProcessLoad {
  private readonly core = Math.min(1, availableCores());
  private loop: EventLoopUtilization = performance.eventLoopUtilization();
  private cpu = process.cpuUsage();
  private atMs = performance.now();
  private timedAtMs = -Infinity;
  private timing = false;
  private longestTurnMs = 0;

  timeTurn(): void {
    if (this.timing) return;
    const nowMs = performance.now();
    if (nowMs - this.timedAtMs < TIMED_EVERY_MS) return;
    this.timing = true;
    this.timedAtMs = nowMs;
    // The rest of this turn, and the whole next one.
    setImmediate(this.nextTurn);
  }

  take(): ProcessUse {
    const loop = performance.eventLoopUtilization();
    const { user, system } = process.cpuUsage(this.cpu);
    const nowMs = performance.now();
    const use = {
      loopShare: performance.eventLoopUtilization(loop, this.loop).utilization,
      coreShare: (user + system) / MICROSECONDS_PER_MS / Math.max(1, nowMs - this.atMs) / this.core,
      longestTurnMs: this.longestTurnMs,
    };
    this.loop = loop;
    this.cpu = process.cpuUsage();
    this.atMs = nowMs;
    this.longestTurnMs = 0;
    return use;
  }

  heapPercent(): number {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    return (100 * used) / limit;
  }

  private readonly nextTurn = (): void => {
    setImmediate(this.turned);
  };

  private readonly turned = (): void => {
    this.timing = false;
    this.longestTurnMs = Math.max(this.longestTurnMs, performance.now() - this.timedAtMs);
  };
}
