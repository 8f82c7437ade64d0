import { setFlagsFromString } from 'node:v8';

/** `small`: the collector keeps the old generation close to what lives in it · `fast`: it lets garbage lie while there is work to do. */
export type HeapMode = 'small' | 'fast';

/** V8 reads this flag whenever it decides how far the heap may grow, so it may change while the process runs (decision 0009). */
const FLAGS: Readonly<Record<HeapMode, string>> = {
  small: '--optimize-for-size',
  fast: '--no-optimize-for-size',
};

/**
 * What the heap is to be good at, by what the relay has to do. Thousands of computers that come at once leave garbage which nobody
 * collects while nothing else happens, and a relay that only holds links needs no speed; one that answers needs all of it, at once.
 */
export class GcTuning {
  private current: HeapMode | null = null;
  private quietLooks = 0;

  /**
   * @param quietLooksUntilSmall so many looks in a row without any work. A heap that was small has to grow again, which the requests of
   *   that time pay for: pauses between requests are no reason
   */
  constructor(
    private readonly quietLooksUntilSmall: number,
    private readonly setFlag: (flag: string) => void = setFlagsFromString,
  ) {}

  /** A request has come. Nothing but a comparison and an assignment while the heap is fast. */
  worked(): void {
    this.quietLooks = 0;
    this.take('fast');
  }

  /** To be called in even intervals. @param running requests that are not over */
  look(running: number): void {
    if (running > 0) this.worked();
    else if (this.current === null || this.quietLooks >= this.quietLooksUntilSmall) this.take('small');
    else this.quietLooks += 1;
  }

  private take(posture: HeapMode): void {
    if (posture === this.current) return;
    this.current = posture;
    this.setFlag(FLAGS[posture]);
  }
}
