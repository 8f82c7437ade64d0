/** Texts as single words of a shell: nothing in them is looked at, expanded or run. */
const PLAIN = /^[\w@%+:,./-]+$/;
/** PowerShell takes all of these for a single quote. */
const POWERSHELL_QUOTES = /['\u2018-\u201b]/g;

/** For POSIX shells, also inside of a script. */
export const shellWord = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** For PowerShell: always in quotes, so that it is text in an expression as well as in a command. */
export const powerShellWord = (text: string): string => `'${text.replace(POWERSHELL_QUOTES, '$&$&')}'`;
