import type { Capacity } from '../../components/chart-marks';
import type { ChartSeries } from '../../components/chart-options';
import { CutText } from '../../components/cut-text';
import shared from '../../components/plain-table.module.css';
import classes from './history.module.css';

/** One chart. */
export interface Drawn {
  readonly title: string;
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
  /** Of the axis, where it differs. */
  readonly formatAxis?: (value: number) => string;
  /** Where the axis ends. */
  readonly capacity?: Capacity | undefined;
  /** In place of a chart without a value. Default: it says when there will be one. */
  readonly none?: string;
  /** In place of lines that are zero all the time. */
  readonly zero: string;
}

/** The numbers of one chart, for lines that were measured, and which colour each has. */
export function HistoryTable({ title, series, format }: Pick<Drawn, 'title' | 'series' | 'format'>) {
  const rows = series
    .map(({ values, ...row }) => ({ ...row, known: values.filter((value) => value !== null) }))
    .filter(({ known }) => known.length > 0);
  // A sentence stands in place of lines that are zero all the time.
  if (rows.every(({ known }) => known.every((value) => value === 0))) return null;
  return (
    <table className={`${shared.plain} ${classes.figures}`} aria-label={title}>
      <thead>
        <tr>
          <th scope="col">Series</th>
          <th scope="col">Latest</th>
          <th scope="col">Mean</th>
          <th scope="col">Peak</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, color, known }) => (
          <tr key={name}>
            <th scope="row">
              <span className={classes.name}>
                <span className={classes.swatch} style={{ background: `var(${color})` }} aria-hidden="true" />
                <CutText text={name} />
              </span>
            </th>
            <td>{format(known.at(-1) ?? 0)}</td>
            <td>{format(known.reduce((sum, value) => sum + value, 0) / known.length)}</td>
            <td>{format(Math.max(...known))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
