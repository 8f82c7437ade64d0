/** https://no-color.org: any non-empty value of NO_COLOR disables colours. */
export const areColorsAllowed = (env: Readonly<Record<string, string | undefined>>): boolean =>
  (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
