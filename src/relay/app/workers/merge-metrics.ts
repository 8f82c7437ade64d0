/** A line of a series: the name of the metric, its labels without braces where it has some, and the value. */
const SERIES = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

/**
 * The metrics of several workers as those of one service: each series has its worker as a label, so that a sum over it is that of the relay.
 * @param texts by the number of the worker, in the text format of Prometheus
 */
export function mergeMetrics(texts: ReadonlyMap<number, string>): string {
  /** Lines by the comment that begins their family, in the order of the first worker. */
  const families = new Map<string, { readonly type: string; readonly series: string[] }>();
  for (const [worker, text] of texts) {
    let help = '';
    let series: string[] = [];
    for (const line of text.split('\n')) {
      if (line.startsWith('# HELP ')) help = line;
      else if (line.startsWith('# TYPE ')) {
        const family = families.get(help) ?? { type: line, series: [] };
        families.set(help, family);
        ({ series } = family);
      } else {
        const [, name, labels, value] = SERIES.exec(line) ?? [];
        if (name !== undefined)
          series.push(`${name}{worker="${worker}"${labels === undefined ? '' : `,${labels}`}} ${value ?? ''}`);
      }
    }
  }
  return Array.from(families, ([help, { type, series }]) => `${[help, type, ...series].join('\n')}\n`).join('');
}
