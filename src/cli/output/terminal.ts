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
}

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

/** https://no-color.org: any value but the empty one switches colours off. */
export function createTerminal(
  stdout: Stream,
  stderr: Stream,
  env: Readonly<Record<string, string | undefined>>,
): Terminal {
  const colorsAllowed = (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  const stdoutIsTty = stdout.isTTY === true;
  const stderrIsTty = stderr.isTTY === true;
  return {
    print: (line) => void stdout.write(`${line}\n`),
    note: (line) => void stderr.write(`${line}\n`),
    stdoutColors: stdoutIsTty && colorsAllowed,
    stderrColors: stderrIsTty && colorsAllowed,
    interactive: stderrIsTty && colorsAllowed,
  };
}
