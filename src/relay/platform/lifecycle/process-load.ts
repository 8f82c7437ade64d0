import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { availableCores } from '../../../kernel/available-cores.js';

const MICROSECONDS_PER_MS = 1e3;
/** Shorter turns are not looked at before they are over. */
const LONG_TURN_MS = 100;
/** Turns are timed so often at most, and only while requests arrive. */
const TIMED_EVERY_MS = 20;

/** The process has used this much since the last call. */
export interface ProcessUse {
  /** Since the last call. Longer than planned while the event loop is late. */
  readonly elapsedMs: number;
  /** Share of the time in which the event loop did not wait for something to do; 0 to 1. High also where other programs take the processor. */
  readonly loopShare: number;
  /** CPU time of the process by the time of a clock, relative to the one core that its event loop could use at most. */
  readonly coreShare: number;
  /** The longest turn of the event loop that was timed, also the one that is not over yet. */
  readonly longestTurnMs: number;
}

/** The turn of the event loop that is under way, with the one before it. */
export interface LongTurn {
  readonly elapsedMs: number;
  /** As {@link ProcessUse.coreShare}, since {@link ProcessLoad.take}: reading the time at the start of each turn would cost a system call. */
  readonly coreShare: number;
  /** That have arrived in it, with the one that is asked for. */
  readonly requests: number;
}

export interface ProcessLoad {
  /**
   * A request has arrived: how long the loop takes to come back is timed.
   * @returns null unless that takes long already
   */
  timeTurn(): LongTurn | null;
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
  private atMs: number;
  private timedAtMs = -Infinity;
  private requests = 0;
  private timing = false;
  private longestTurnMs = 0;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.atMs = now();
  }

  timeTurn(): LongTurn | null {
    const nowMs = this.now();
    const elapsedMs = nowMs - this.timedAtMs;
    if (this.timing) {
      this.requests += 1;
      if (elapsedMs < LONG_TURN_MS) return null;
      const coreShare = this.coreShare(process.cpuUsage(), nowMs - this.atMs);
      return { elapsedMs, coreShare, requests: this.requests };
    }
    if (elapsedMs < TIMED_EVERY_MS) return null;
    this.timing = true;
    this.timedAtMs = nowMs;
    this.requests = 1;
    // The rest of this turn, and the whole next one.
    setImmediate(this.nextTurn);
    return null;
  }

  take(): ProcessUse {
    const loop = performance.eventLoopUtilization();
    const cpu = process.cpuUsage();
    const nowMs = this.now();
    const elapsedMs = Math.max(1, nowMs - this.atMs);
    const use = {
      elapsedMs,
      loopShare: performance.eventLoopUtilization(loop, this.loop).utilization,
      coreShare: this.coreShare(cpu, elapsedMs),
      longestTurnMs: Math.max(this.longestTurnMs, this.timing ? nowMs - this.timedAtMs : 0),
    };
    this.loop = loop;
    this.cpu = cpu;
    this.atMs = nowMs;
    this.longestTurnMs = 0;
    return use;
  }

  heapPercent(): number {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    return (100 * used) / limit;
  }

  private coreShare({ user, system }: NodeJS.CpuUsage, elapsedMs: number): number {
    return (user + system - this.cpu.user - this.cpu.system) / MICROSECONDS_PER_MS / elapsedMs / this.core;
  }

  private readonly nextTurn = (): void => {
    setImmediate(this.turned);
  };

  private readonly turned = (): void => {
    this.timing = false;
    this.longestTurnMs = Math.max(this.longestTurnMs, this.now() - this.timedAtMs);
  };
}
