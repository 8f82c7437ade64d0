import { LabelledCounter } from '../../kernel/metrics/labelled-counter.js';
import type { Label, Metric, NameLabel, Sample } from '../../kernel/metrics/metric.js';
import { MAX_ENGINES } from '../engines/engine-catalogue.js';

/** Series of engines that came after as many others as are counted by name. */
const FURTHER_ENGINES = 'other';

export const engineLabel: NameLabel = {
  name: 'engine',
  valuesAre: 'the name of an engine of this node',
  limit: MAX_ENGINES,
};

/** Counts by engine and one more label. Engines that are gone keep their counts, so the number of names is bounded here. */
export class EngineCounter<Value extends string> implements Metric {
  readonly type = 'counter';
  private readonly rows = new Map<string, LabelledCounter<Value>>();

  /** @param engines names of the present ones, which are shown from the start: a rate needs the zero before the first request */
  constructor(
    readonly name: string,
    readonly help: string,
    private readonly label: Label<Value>,
    private readonly engines: () => Iterable<string>,
  ) {}

  get labels(): Metric['labels'] {
    return [engineLabel, this.label];
  }

  add(amount: number, engine: string, value: Value): void {
    this.rowOf(engine).add(amount, value);
  }

  *samples(): Iterable<Sample> {
    for (const engine of this.engines()) this.rowOf(engine);
    for (const [engine, row] of this.rows)
      for (const { labels, value } of row.samples()) yield { labels: { engine, ...labels }, value };
  }

  private rowOf(engine: string): LabelledCounter<Value> {
    const known = this.rows.get(engine) ?? (this.isFull ? this.rows.get(FURTHER_ENGINES) : undefined);
    if (known !== undefined) return known;
    const row = new LabelledCounter(this.name, this.help, this.label);
    this.rows.set(this.isFull ? FURTHER_ENGINES : engine, row);
    return row;
  }

  /** One of the names is that of all further engines. */
  private get isFull(): boolean {
    return this.rows.size >= MAX_ENGINES - 1;
  }
}
