/** The variable of the n-th series; the last is for everything that has none of its own. Apart from the charts, which are fetched late. */
export const seriesColor = (index: number): string => `--series-${Math.min(index, 7) + 1}`;
