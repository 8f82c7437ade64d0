import type { Label, Metric, Sample } from './metric.js';

interface Axis {
  readonly label: Label;
  readonly indexOf: ReadonlyMap<string, number>;
}

const axisOf = (label: Label): Axis => ({
  label,
  indexOf: new Map(label.values.map((value, index) => [value, index])),
});

/** Counts by up to three labels. Adding allocates nothing: all combinations exist from the start. */
export class LabelledCounter<A extends string, B extends string = never, C extends string = never> implements Metric {
  readonly type = 'counter';
  private readonly axes: readonly Axis[];
  private readonly counts: Float64Array;

  constructor(
    readonly name: string,
    readonly help: string,
    ...labels: readonly [Label<A>, Label<B>?, Label<C>?]
  ) {
    this.axes = labels.flatMap((label) => (label === undefined ? [] : [axisOf(label)]));
    this.counts = new Float64Array(this.axes.reduce((size, { label }) => size * label.values.length, 1));
  }

  get labels(): readonly Label[] {
    return this.axes.map(({ label }) => label);
  }

  /** Each label needs its value. Unknown values count nothing. */
  add(amount: number, a: A, b?: B, c?: C): void {
    let at = this.indexOn(0, a);
    if (b !== undefined) at = at * this.sizeOf(1) + this.indexOn(1, b);
    if (c !== undefined) at = at * this.sizeOf(2) + this.indexOn(2, c);
    // Outside the array for a NaN, which typed arrays ignore.
    this.counts[at] = (this.counts[at] ?? 0) + amount;
  }

  *samples(): Iterable<Sample> {
    for (const [at, value] of this.counts.entries()) yield { labels: this.labelsAt(at), value };
  }

  private indexOn(axis: number, value: string): number {
    return this.axes[axis]?.indexOf.get(value) ?? NaN;
  }

  private sizeOf(axis: number): number {
    return this.axes[axis]?.label.values.length ?? NaN;
  }

  private labelsAt(at: number): Record<string, string> {
    const labels: [string, string][] = [];
    let rest = at;
    for (const { label } of [...this.axes].reverse()) {
      labels.unshift([label.name, label.values[rest % label.values.length] ?? '']);
      rest = Math.floor(rest / label.values.length);
    }
    return Object.fromEntries(labels);
  }
}
