/** Commands and assignments that people paste contain names that other computers chose: one place quotes them for every shell. */
export type Shell = 'sh' | 'fish' | 'powershell' | 'cmd';

/** Means itself to a POSIX shell. */
const PLAIN = /^[\w@%+=:,./-]+$/;
/** All characters that PowerShell treats as a single quote. */
const POWERSHELL_QUOTES = /['\u2018-\u201b]/g;
/** cmd.exe interprets these also inside of quotes that it does not see as such. */
const CMD_SPECIAL = /[%!^&|<>()]/;

/** The text as one string of the shell: nothing in it is looked at, expanded or run. */
export function shellString(text: string, shell: Shell): string {
  switch (shell) {
    case 'sh':
      return `'${text.replaceAll("'", String.raw`'\''`)}'`;
    case 'fish':
      return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
    case 'powershell':
      return `'${text.replace(POWERSHELL_QUOTES, '$&$&')}'`;
    case 'cmd':
      return cmdString(text);
    default:
      return shell satisfies never;
  }
}

/** As {@link shellString} for a POSIX shell, without quotes where none are needed. */
export const shellWord = (text: string): string => (PLAIN.test(text) ? text : shellString(text, 'sh'));

/**
 * Two programs read it: the started one takes `\"` for a quote, and backslashes before a quote must be doubled for it; cmd.exe ends its own
 * quotes there, so what it would act on then is escaped for it everywhere.
 */
function cmdString(text: string): string {
  const argument = `"${text.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`;
  return CMD_SPECIAL.test(text) ? argument.replaceAll(/[%!^&|<>()"]/g, '^$&') : argument;
}
