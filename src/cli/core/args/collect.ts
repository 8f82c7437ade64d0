/** For options that may be given several times, or once with commas. */
export const collect = (text: string, earlier: readonly string[] = []): readonly string[] => [
  ...earlier,
  ...text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== ''),
];
