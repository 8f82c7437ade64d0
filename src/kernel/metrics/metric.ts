/** Metrics in the text format of Prometheus. Own code, because no library exposes counts that the hot path keeps without allocating. */

/** A label whose values are known when the code is written: no client, node or model may choose one, so that series are bounded. */
export interface Label<Value extends string = string> {
  readonly name: string;
  readonly values: readonly Value[];
}

/** A label whose values are the names of parts of this process, such as the engines of a node. */
export interface NameLabel {
  readonly name: string;
  /** Completes "the value is …", for the documentation. */
  readonly valuesAre: string;
  /** Most values at a time, so that series are bounded. */
  readonly limit: number;
}

export interface Sample {
  /** Behind the name of the metric: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Metric {
  /** Ends in its unit; a counter in `_total`. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly (Label | NameLabel)[];
  /** Read at a scrape only. */
  samples(): Iterable<Sample> | Promise<Iterable<Sample>>;
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** A metric without labels. */
export const single = (
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  read: () => number | Promise<number>,
): Metric => ({ name, help, type, labels: [], samples: async () => [{ value: await read() }] });

/** A metric with one label. */
export const byLabel = <Value extends string>(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  label: Label<Value>,
  read: () => Readonly<Record<Value, number>> | Promise<Readonly<Record<Value, number>>>,
): Metric => ({
  name,
  help,
  type,
  labels: [label],
  samples: async () => {
    const values = await read();
    return label.values.map((value) => ({ labels: { [label.name]: value }, value: values[value] }));
  },
});

/** One scrape. */
export async function renderMetrics(metrics: readonly Metric[]): Promise<string> {
  const families = await Promise.all(metrics.map(async (metric) => ({ metric, samples: await metric.samples() })));
  return families
    .map(({ metric: { name, help, type }, samples }) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...Array.from(samples, ({ suffix = '', labels = {}, value }) => `${name}${suffix}${textOf(labels)} ${value}`),
        '',
      ].join('\n'),
    )
    .join('');
}

function textOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** Constants of the code have none of these characters, names may. */
const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
