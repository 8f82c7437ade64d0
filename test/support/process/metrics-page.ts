import { eventually } from '../clock/eventually.js';
import type { FerryProcess } from './ferry-process.js';

interface LogLine {
  readonly msg?: string;
  readonly port?: number;
}

/** `/metrics` of a process that serves it on a free port. */
export class MetricsPage {
  private constructor(private readonly url: string) {}

  /** The port is in the log. */
  static async of(process: FerryProcess): Promise<MetricsPage> {
    return eventually('the process tells the port of its metrics', () => {
      const lines = process.stderr.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
      const port = lines.map((line) => JSON.parse(line) as LogLine).find(({ msg }) => msg === 'serving /metrics')?.port;
      return Promise.resolve(port === undefined ? undefined : new MetricsPage(`http://127.0.0.1:${port}/metrics`));
    });
  }

  async scrape(): Promise<string> {
    return (await fetch(this.url)).text();
  }
}

/** @returns NaN for a series that is not there */
export const valueOf = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length) ?? NaN,
  );
