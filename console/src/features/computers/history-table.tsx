import type { Capacity } from '../../components/chart-marks';
import type { ChartSeries } from '../../components/chart-options';
import { CutText } from '../../components/cut-text';
import shared from '../../components/plain-table.module.css';
import { figureFormat } from './figure-format';
import classes from './history.module.css';

/** One chart. */
export interface Drawn {
  readonly title: string;
  readonly series: readonly ChartSeries[];
  /** Of the table, which names it once; undefined: counts. */
  readonly unit?: { readonly name: string; readonly of: (value: number) => number };
  /** The names are labels of this page, which are short, rather than those of models. */
  readonly hasOwnNames?: boolean;
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

type HistoryTableProps = Pick<Drawn, 'title' | 'series' | 'unit' | 'hasOwnNames'>;

/** The numbers of one chart, for lines that were measured, and which colour each has. */
export function HistoryTable({ title, series, unit, hasOwnNames = false }: HistoryTableProps) {
  const rows = series
    .map(({ values, ...row }) => ({
      ...row,
      known: values.filter((value) => value !== null).map((value) => unit?.of(value) ?? value),
    }))
    .filter(({ known }) => known.length > 0);
  // A sentence stands in place of lines that are zero all the time.
  if (rows.every(({ known }) => known.every((value) => value === 0))) return null;
  const figures = rows.map(({ known }) => [
    known.at(-1) ?? 0,
    known.reduce((sum, value) => sum + value, 0) / known.length,
    Math.max(...known),
  ]);
  const text = figureFormat(figures.flat());
  return (
    <table
      className={`${shared.plain} ${classes.figures}`}
      aria-label={title}
      data-own-names={hasOwnNames || undefined}
    >
      <thead>
        <tr>
          <th scope="col">{unit === undefined ? 'Series' : `Series, in ${unit.name}`}</th>
          <th scope="col">Latest</th>
          <th scope="col">Mean</th>
          <th scope="col">Peak</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, color }, index) => (
          <tr key={name}>
            <th scope="row">
              <span className={classes.name}>
                <span className={classes.swatch} style={{ background: `var(${color})` }} aria-hidden="true" />
                {hasOwnNames ? name : <CutText text={name} />}
              </span>
            </th>
            {figures[index]?.map((figure, column) => (
              <td key={column}>{text(figure)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
