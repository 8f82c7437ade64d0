import type { Invocation } from '../../invocation.js';

/** As the relay made it; its rows end in CRLF or LF, and the last one of them is the terminal's to write. */
export const printCsv = ({ terminal }: Pick<Invocation, 'terminal'>, csv: string): void => {
  terminal.print(csv.replace(/\r?\n$/, ''));
};
