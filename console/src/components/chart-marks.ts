/** Which labels and points a chart has. */

const STEPS = [1, 2, 5];
/** Between two labels of the axis of values. */
const LINE_PX = 40;

/**
 * The lines of the axis of values, from zero to at least the largest value. They are as close as they have room, and as their labels differ: of
 * counts, for example, no half.
 */
export function valueLines(largest: number, heightPx: number, format: (value: number) => string): number[] {
  const most = largest > 0 ? largest : 1;
  const closest = most / Math.max(1, Math.floor(heightPx / LINE_PX));
  for (let power = Math.floor(Math.log10(closest)); ; power += 1) {
    for (const digit of STEPS) {
      const step = digit * 10 ** power;
      if (step < closest) continue;
      const lines = Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
      // With the line after a single one, whose label may be rounded: half a slot is none, or one.
      const told = lines.length === 2 ? [...lines, 2 * step] : lines;
      if (new Set(told.map(format)).size === told.length) return lines;
      // A format may have one word for all values.
      if (lines.length === 2 && step >= 1) return lines;
    }
  }
}

/** What there is at most: of a scale that begins at zero, the end. */
export interface Capacity {
  readonly value: number;
  /** In which the lines between are whole: one slot, for example. */
  readonly unit: number;
}

/** As `valueLines`, but the last line is the capacity, so that full looks full. Its parts are equal. */
export function capacityLines({ value, unit }: Capacity, heightPx: number): number[] {
  const units = Math.max(1, Math.round(value / unit));
  let parts = Math.max(1, Math.floor(heightPx / LINE_PX));
  while (units % parts !== 0) parts -= 1;
  return Array.from({ length: parts + 1 }, (_, index) => (index / parts) * value);
}

/** What no line reaches, so that it has to be drawn as a point: the indices of values without a neighbour. */
export const lonePoints = (values: readonly (number | null | undefined)[]): number[] =>
  Array.from(values.keys()).filter(
    (index) => isKnown(values[index]) && !isKnown(values[index - 1]) && !isKnown(values[index + 1]),
  );

const isKnown = (value: number | null | undefined): boolean => value !== null && value !== undefined;
