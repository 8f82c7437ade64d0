/** Which labels and points a chart has. */

/** Rounded values of neighbouring lines may read the same: only the first of them is labelled. */
export const axisLabels = (values: readonly number[], format: (value: number) => string): (string | null)[] => {
  const labels = values.map(format);
  return labels.map((label, index) => (label === labels[index - 1] ? null : label));
};

/** Of a time, with the space to the next one. */
export const LABEL_PX = 72;

/** Every n-th bucket: a label belongs to a bucket, and as many are shown as have room. */
export function labelledTimes(times: readonly number[], widthPx: number): number[] {
  const step = Math.max(1, Math.ceil((times.length * LABEL_PX) / widthPx));
  return times.filter((_, index) => (times.length - 1 - index) % step === 0);
}

/** What no line reaches, so that it has to be drawn as a point: the indices of values without a neighbour. */
export const lonePoints = (values: readonly (number | null | undefined)[]): number[] =>
  Array.from(values.keys()).filter(
    (index) => isKnown(values[index]) && !isKnown(values[index - 1]) && !isKnown(values[index + 1]),
  );

const isKnown = (value: number | null | undefined): boolean => value !== null && value !== undefined;
