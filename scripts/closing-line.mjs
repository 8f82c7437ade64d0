/** The line that every run of tests ends with, for scripts and people. Skipped tests are named, never counted as passed. */
export const closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
