/** Rounded values of neighbouring lines may read the same: only the first of them is labelled. */
export const axisLabels = (values: readonly number[], format: (value: number) => string): (string | null)[] => {
  const labels = values.map(format);
  return labels.map((label, index) => (label === labels[index - 1] ? null : label));
};
