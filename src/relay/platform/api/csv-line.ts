/** Spreadsheets run such cells as formulas, and some values come from users or nodes. */
const FORMULA = /^[=+\-@\t\r]/;

/** One record of RFC 4180, with its end of line. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(cell).join(',')}\r\n`;

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
