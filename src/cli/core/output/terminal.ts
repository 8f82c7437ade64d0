import { areColorsAllowed } from '../../../kernel/colors.js';

/** stdout and stderr of a command: stdout is for data, stderr for everything else. */
export interface Terminal {
  /** One line of data on stdout. */
  readonly print: (line: string) => void;
  /** One line on stderr: progress, hints, warnings, errors. */
  readonly note: (line: string) => void;
  /** Whether ANSI sequences may be written. False for a pipe and with NO_COLOR. */
  readonly stdoutColors: boolean;
  readonly stderrColors: boolean;
  /** stderr is a terminal, so progress may be drawn. */
  readonly interactive: boolean;
  /** Characters per line of stdout; undefined when stdout is not a terminal: nothing is truncated then. */
  readonly columns: number | undefined;
  /** Writes data on stdout without a line end, for streamed responses. */
  readonly write: (text: string) => void;
}

const DEFAULT_COLUMNS = 80;

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** FORCE_COLOR enables colours in a pipe, unless NO_COLOR disables them. */
export function createTerminal(
  stdout: Stream,
  stderr: Stream,
  env: Readonly<Record<string, string | undefined>>,
): Terminal {
  const colorsAllowed = areColorsAllowed(env);
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
    // 0 or undefined on terminals of unknown width, such as serial lines.
    columns: stdoutIsTty ? stdout.columns || DEFAULT_COLUMNS : undefined,
  };
}
