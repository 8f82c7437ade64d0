import type { Capacity } from '../../components/chart-marks';
import type { ChartSeries } from '../../components/chart-options';
import shared from '../../components/plain-table.module.css';
import classes from './computers.module.css';

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

/** The numbers of the charts, for those that were measured. */
export function HistoryTable({ drawn }: { readonly drawn: readonly Drawn[] }) {
  const rows = drawn
    .flatMap(({ title, series, format }) => series.map(({ name, values }) => ({ title, name, values, format })))
    .map(({ values, ...row }) => ({ ...row, known: values.filter((value) => value !== null) }))
    .filter(({ known }) => known.length > 0);
  if (rows.length === 0) return null;
  return (
    <table className={`${shared.plain} ${classes.figures}`}>
      <thead>
        <tr>
          <th scope="col">Series</th>
          <th scope="col">Latest</th>
          <th scope="col">Mean</th>
          <th scope="col">Peak</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ title, name, known, format }) => (
          <tr key={`${title} ${name}`}>
            <th scope="row">
              <bdi>{name}</bdi>
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
