/** Every Jest run ends with `N passed, N failed[, N skipped]`; this adds those lines up. */

const CLOSING_LINE = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\r?$/gm;

/** The last closing line of a run's output; undefined when it never came that far. */
export function readClosingLine(output) {
  const last = [...output.matchAll(CLOSING_LINE)].at(-1);
  if (last === undefined) return undefined;
  const [passed, failed, skipped = 0] = last.slice(1).map((text) => (text === undefined ? undefined : Number(text)));
  return { passed, failed, skipped };
}

export const closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
