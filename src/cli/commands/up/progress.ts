import pc from 'picocolors';
import type { Terminal } from '../../core/output/terminal.js';

/** What `ferry up` does while it starts, on stderr. */
export interface Progress {
  /** A line of its own. */
  readonly note: (line: string) => void;
  /** Begins the next step; the one before is done. */
  readonly begin: (step: string) => void;
  /** The last step is done. @param name instead of the one that it was begun with */
  readonly done: (name?: string) => void;
  /** No step follows: whatever is printed next begins a line. */
  readonly end: () => void;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const FRAME_MS = 100;

/**
 * Steps on one line that is redrawn for a person who watches, a line for each finished step otherwise.
 * Clack's spinner is not used: it puts the keyboard into raw mode and answers Ctrl-C with an exit of its own, past our drain.
 */
export function createProgress(
  terminal: Terminal,
  write: (text: string) => void = (text) => void process.stderr.write(text),
): Progress {
  return terminal.interactive ? drawnSteps(terminal, write) : plainSteps(terminal);
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
    done,
    end: () => {
      current = undefined;
    },
  };
}

function drawnSteps({ note, stderrColors }: Terminal, write: (text: string) => void): Progress {
  const { green } = pc.createColors(stderrColors);
  let finished: string[] = [];
  let current: string | undefined;
  let frame = 0;
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    const running = current === undefined ? [] : [`${FRAMES[frame % FRAMES.length] ?? ''} ${current}`];
    write(`\r\u001b[2K  ${[...finished.map((step) => `${green('✓')} ${step}`), ...running].join('   ')}`);
    frame += 1;
  };
  const done = (name?: string): void => {
    if (current === undefined) return;
    finished.push(name ?? current);
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
      draw();
      timer ??= setInterval(draw, FRAME_MS).unref();
    },
    done,
    end,
  };
}
