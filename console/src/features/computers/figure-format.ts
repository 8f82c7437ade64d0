import { decimal } from '../../components/format';

/** Below this a decimal matters. */
const WHOLE_FROM = 10;

/** How the figures of one table are written: in the same digits, with one decimal where one of them needs it. */
export function figureFormat(figures: readonly number[]): (figure: number) => string {
  const digits = figures.some((figure) => figure < WHOLE_FROM && !Number.isInteger(figure)) ? 1 : 0;
  // What was measured is never shown as nothing.
  return (figure) => (figure > 0 && figure < 0.05 ? `< ${decimal(0.1, 1)}` : decimal(figure, digits, digits));
}
