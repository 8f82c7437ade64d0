import pc from 'picocolors';
import stringWidth from 'string-width';
import { cutEnd } from '../../core/output/fit-columns.js';
import { drawBar } from '../../core/output/progress-line.js';
import type { Terminal } from '../../core/output/terminal.js';

/** Shows on stderr what `ferry up` does while it starts. */
export interface Progress {
  /** A line of its own. */
  readonly note: (line: string) => void;
  /** Begins the next step; the one before is done. */
  readonly begin: (step: string) => void;
  /** How far the step is, where that is known. @param fraction 0 to 1 @param detail amount, speed and time left */
  readonly measure: (fraction: number, detail: string) => void;
  /** The last step is done. @param name instead of the one that it was begun with */
  readonly done: (name?: string) => void;
  /** No step follows: whatever is printed next begins a line. */
  readonly end: () => void;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const FRAME_MS = 100;
const TYPICAL_COLUMNS = 80;
const SHOW_SECONDS_FROM = 3;
const BAR_CHARACTERS = 10;
const MARGIN = '  ';
const GAP = '   ';
const DONE_MARK = '✓ ';

/**
 * Steps on one line that is redrawn for a person who watches, a line for each finished step otherwise.
 * Clack's spinner is not used: it puts the keyboard into raw mode and answers Ctrl-C with an exit of its own, past our drain.
 */
export function createProgress(
  terminal: Terminal,
  write: (text: string) => void = (text) => void process.stderr.write(text),
  columns = (): number => process.stderr.columns || TYPICAL_COLUMNS,
): Progress {
  return terminal.interactive ? drawnSteps(terminal, write, columns) : plainSteps(terminal);
}

function plainSteps({ note }: Terminal): Progress {
  let current: string | undefined;
  const done = (name?: string): void => {
    if (current !== undefined) note(`  ✓ ${name ?? current}`);
    current = undefined;
  };
  return {
    note,
    begin: (step) => {
      done();
      current = step;
    },
    // A line for each state would say little.
    measure: () => undefined,
    done,
    end: () => {
      current = undefined;
    },
  };
}

function drawnSteps({ note, stderrColors }: Terminal, write: (text: string) => void, columns: () => number): Progress {
  const { green } = pc.createColors(stderrColors);
  let finished: string[] = [];
  let current: string | undefined;
  let frame = 0;
  let begunAtMs = 0;
  let measured = '';
  let timer: NodeJS.Timeout | undefined;
  /** A long step is seen to go on. */
  const elapsed = (): string => {
    const seconds = Math.floor((performance.now() - begunAtMs) / 1_000);
    return seconds < SHOW_SECONDS_FROM ? '' : ` ${String(seconds)} s`;
  };
  // A line that wraps cannot be redrawn: its rows would pile up. One column stays free, because some terminals wrap a full line.
  const room = (): number => columns() - 1;
  const doneText = (): string => `${MARGIN}${finished.map((step) => `${green('✓')} ${step}`).join(GAP)}`;
  /** A finished step becomes a line of its own, where the next text would not fit behind it. */
  const makeRoomFor = (text: string): void => {
    if (finished.length === 0 || stringWidth(`${doneText()}${GAP}${text}`) <= room()) return;
    write(`\r\u001b[2K${doneText()}\n`);
    finished = [];
  };
  const draw = (): void => {
    const running =
      current === undefined ? '' : `${FRAMES[frame % FRAMES.length] ?? ''} ${current}${measured || elapsed()}`;
    if (running !== '') makeRoomFor(running);
    const before = finished.length === 0 ? MARGIN : `${doneText()}${running === '' ? '' : GAP}`;
    write(`\r\u001b[2K${before}${cutEnd(running, room() - stringWidth(before))}`);
    frame += 1;
  };
  const done = (name?: string): void => {
    if (current === undefined) return;
    const step = cutEnd(name ?? current, room() - MARGIN.length - DONE_MARK.length);
    makeRoomFor(`${DONE_MARK}${step}`);
    finished.push(step);
    current = undefined;
    draw();
  };
  const end = (): void => {
    clearInterval(timer);
    timer = undefined;
    if (finished.length > 0 || current !== undefined) write('\n');
    finished = [];
    current = undefined;
  };
  return {
    note: (line) => {
      end();
      note(line);
    },
    begin: (step) => {
      done();
      current = step;
      measured = '';
      begunAtMs = performance.now();
      draw();
      timer ??= setInterval(draw, FRAME_MS).unref();
    },
    measure: (fraction, detail) => {
      const percent = String(Math.floor(fraction * 100)).padStart(3);
      measured = `  ${percent}%  ${detail}  ${drawBar(fraction, BAR_CHARACTERS)}`;
      draw();
    },
    done,
    end,
  };
}
