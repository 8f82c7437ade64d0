import type { Invocation } from '../../invocation.js';

/** Prints the relay's CSV unchanged, except for the last line end (CRLF or LF), which `print` adds. */
export const printCsv = ({ terminal }: Pick<Invocation, 'terminal'>, csv: string): void => {
  terminal.print(csv.replace(/\r?\n$/, ''));
};
