import type { Terminal } from './terminal.js';

/** Something that goes on for a while, as far as it can be counted. */
export interface ProgressState {
  /** Ahead of the numbers: what goes on, and where. */
  readonly label: string;
  /** Behind them, such as speed and time left. */
  readonly detail: string;
  /** 0 to 1; null: not counted. */
  readonly fraction: number | null;
}

/** Shows one thing that goes on, on stderr, until it is stopped. */
interface ProgressLine {
  update(state: ProgressState): void;
  stop(): void;
}

const BAR_CHARACTERS = 20;
const PLAIN_LINE_EVERY_MS = 5_000;

/** A bar that is redrawn in place for a person who watches; otherwise a plain line every few seconds. */
export async function createProgressLine(terminal: Terminal): Promise<ProgressLine> {
  return terminal.interactive ? drawnLine() : plainLines(terminal);
}

async function drawnLine(): Promise<ProgressLine> {
  const { SingleBar } = (await import('cli-progress')).default;
  let state: ProgressState = { label: '', detail: '', fraction: null };
  const bar = new SingleBar({
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    // Signals are the command's: it detaches, and stops the bar itself.
    gracefulExit: false,
    format: () => [state.label, drawBar(state.fraction), state.detail].filter((part) => part !== '').join('  '),
  });
  bar.start(1, 0);
  return {
    update: (next) => {
      state = next;
      bar.update(next.fraction ?? 0);
    },
    stop: () => {
      bar.stop();
    },
  };
}

/** `━━━━━━━━━╌╌╌╌╌  62%`; empty when nothing is counted. */
export function drawBar(fraction: number | null): string {
  if (fraction === null) return '';
  const done = Math.round(fraction * BAR_CHARACTERS);
  const percent = String(Math.floor(fraction * 100)).padStart(3);
  return `${'━'.repeat(done)}${'╌'.repeat(BAR_CHARACTERS - done)} ${percent}%`;
}

/** The first state at once, then the newest one every few seconds, and never the same line twice. */
function plainLines(terminal: Terminal): ProgressLine {
  let waiting: string | undefined;
  let shown = '';
  let timer: NodeJS.Timeout | undefined;
  const show = (): void => {
    timer = undefined;
    if (waiting === undefined || waiting === shown) return;
    shown = waiting;
    terminal.note(shown);
    timer = setTimeout(show, PLAIN_LINE_EVERY_MS);
  };
  return {
    update: ({ label, detail, fraction }) => {
      const percent = fraction === null ? '' : `${String(Math.floor(fraction * 100))}%`;
      waiting = [label, percent, detail].filter((part) => part !== '').join('  ');
      if (timer === undefined) show();
    },
    stop: () => {
      clearTimeout(timer);
    },
  };
}
