/** The two streams of a command, kept apart: data that a pipe should get, and everything that is only meant for people. */
export interface Terminal {
  /** One line of data on stdout. */
  readonly print: (line: string) => void;
  /** One line on stderr: progress, hints, warnings, errors. */
  readonly note: (line: string) => void;
  /** May ANSI sequences go there? Never into a pipe, never with NO_COLOR. */
  readonly stdoutColors: boolean;
  readonly stderrColors: boolean;
  /** A person watches stderr, so progress may be drawn. */
  readonly interactive: boolean;
  /** Characters per line where a person reads stdout; undefined: nobody does, and nothing is cut off. */
  readonly columns: number | undefined;
  /** Data as it comes, without an end of line: an answer that streams. */
  readonly write: (text: string) => void;
}

const DEFAULT_COLUMNS = 80;

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/**
 * https://no-color.org: any value but the empty one switches colours off. FORCE_COLOR switches them on in a pipe, where NO_COLOR does not
 * say no.
 */
export function createTerminal(
  stdout: Stream,
  stderr: Stream,
  env: Readonly<Record<string, string | undefined>>,
): Terminal {
  const colorsAllowed = (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  const colorsForced = !['', '0', 'false'].includes(env['FORCE_COLOR'] ?? '');
  const stdoutIsTty = stdout.isTTY === true;
  const stderrIsTty = stderr.isTTY === true;
  return {
    print: (line) => void stdout.write(`${line}\n`),
    note: (line) => void stderr.write(`${line}\n`),
    write: (text) => void stdout.write(text),
    stdoutColors: (stdoutIsTty || colorsForced) && colorsAllowed,
    stderrColors: (stderrIsTty || colorsForced) && colorsAllowed,
    interactive: stderrIsTty && colorsAllowed,
    // A terminal that does not tell its width, such as a serial line, has 0 or none.
    columns: stdoutIsTty ? stdout.columns || DEFAULT_COLUMNS : undefined,
  };
}
