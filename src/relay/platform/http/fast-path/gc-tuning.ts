import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** `small`: the collector keeps the old generation close to the size of the live objects · `fast`: it collects less often. */
export type HeapMode = 'small' | 'fast';

/** V8 reads this flag whenever it decides how far the heap may grow, so it may change while the process runs (decision 0009). */
const FLAGS: Readonly<Record<HeapMode, string>> = {
  small: '--optimize-for-size',
  fast: '--no-optimize-for-size',
};

const CHECK_EVERY_MS = 1_000;

/** Whether the young generation may double when much of it survives. */
const YOUNG_GROWTH = { on: '--semi-space-growth-factor=2', off: '--semi-space-growth-factor=1' } as const;

/**
 * Of both halves. Node 24 would go on to 128 MiB, all of which is resident under load, and collects hardly cheaper for it; Node 20 stops at
 * 32 MiB by itself.
 */
const LARGEST_YOUNG_GENERATION_BYTES = 64 * 1024 * 1024;

const youngGenerationBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;

/**
 * Switches the garbage collector between small and fast by the load. Thousands of nodes that connect at once leave garbage that is not
 * collected while nothing else happens, and a relay that only holds links needs no speed; one that answers requests does, at once.
 */
export class GcTuning {
  private mode: HeapMode | null = null;
  private idleChecks = 0;
  private youngMayGrow = true;
  private running: (() => number) | undefined;
  private checks: NodeJS.Timeout | undefined;

  /**
   * @param idleChecksUntilSmall consecutive checks without a request before the heap becomes small. A small heap has to grow again at the
   *   expense of the next requests, so a short pause must not be enough
   */
  constructor(
    private readonly idleChecksUntilSmall: number,
    private readonly setFlag: (flag: string) => void = setFlagsFromString,
    private readonly youngBytes: () => number = youngGenerationBytes,
  ) {}

  /** Checks every second, unless the heap is small: a relay that rests is not woken. @param running counts requests that are not over */
  watch(running: () => number): void {
    this.running = running;
    this.startChecks();
  }

  stop(): void {
    this.running = undefined;
    this.stopChecks();
  }

  /** Called for each request. Costs a comparison and an assignment while the heap is fast. */
  requestArrived(): void {
    this.idleChecks = 0;
    this.setMode('fast');
  }

  /** @param running requests that are not over */
  check(running: number): void {
    if (running > 0) this.requestArrived();
    else if (this.mode === null || this.idleChecks >= this.idleChecksUntilSmall) this.setMode('small');
    else this.idleChecks += 1;
    this.boundYoungGeneration();
  }

  /** V8 may also shrink it, when the process rests. */
  private boundYoungGeneration(): void {
    const mayGrow = this.youngBytes() < LARGEST_YOUNG_GENERATION_BYTES;
    if (mayGrow === this.youngMayGrow) return;
    this.youngMayGrow = mayGrow;
    this.setFlag(YOUNG_GROWTH[mayGrow ? 'on' : 'off']);
  }

  private setMode(mode: HeapMode): void {
    if (mode === this.mode) return;
    this.mode = mode;
    this.setFlag(FLAGS[mode]);
    if (mode === 'fast') this.startChecks();
    else this.stopChecks();
  }

  private startChecks(): void {
    const { running } = this;
    if (running === undefined) return;
    this.checks ??= setInterval(() => {
      this.check(running());
    }, CHECK_EVERY_MS).unref();
  }

  private stopChecks(): void {
    clearInterval(this.checks);
    this.checks = undefined;
  }
}
