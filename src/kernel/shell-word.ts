const PLAIN = /^[\w@%+:,./-]+$/;

/** The text as a single word of a POSIX shell: nothing in it is looked at, expanded or run. */
export const shellWord = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
