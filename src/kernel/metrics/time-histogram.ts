import type { Metric, Sample } from './metric.js';

/** Durations: observed in milliseconds, exposed in seconds. Observing allocates nothing. */
export class TimeHistogram implements Metric {
  readonly type = 'histogram';
  readonly labels = [];
  private readonly boundsMs: Float64Array;
  /** One more than bounds, for what is longer than all. */
  private readonly counts: Float64Array;
  /** An array of one, because a number in a field is allocated anew at each change. */
  private readonly sumMs = new Float64Array(1);

  /** @param boundsSeconds upper bounds, ascending */
  constructor(
    readonly name: string,
    readonly help: string,
    private readonly boundsSeconds: readonly number[],
  ) {
    this.boundsMs = Float64Array.from(boundsSeconds, (seconds) => seconds * 1_000);
    this.counts = new Float64Array(boundsSeconds.length + 1);
  }

  /** Runs for every streamed event, so it allocates nothing. */
  observe(ms: number): void {
    const { boundsMs, counts, sumMs } = this;
    let bucket = 0;
    while (bucket < boundsMs.length && ms > (boundsMs[bucket] ?? Infinity)) bucket += 1;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    sumMs[0] = (sumMs[0] ?? 0) + ms;
  }

  *samples(): Iterable<Sample> {
    let count = 0;
    for (const [bucket, observed] of this.counts.entries()) {
      count += observed;
      const le = this.boundsSeconds[bucket];
      yield { suffix: '_bucket', labels: { le: le === undefined ? '+Inf' : String(le) }, value: count };
    }
    yield { suffix: '_sum', value: (this.sumMs[0] ?? 0) / 1_000 };
    yield { suffix: '_count', value: count };
  }
}
