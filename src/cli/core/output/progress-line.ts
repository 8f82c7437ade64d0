import stringWidth from 'string-width';
import { cutEnd, cutMiddle } from './fit-columns.js';
import type { Terminal } from './terminal.js';

/** Something that goes on for a while, as far as it can be counted. */
export interface ProgressState {
  /** First: what goes on, and where. */
  readonly label: string;
  /** The file or model, which is shortened where the line is too long. */
  readonly subject: string;
  /** 0 to 1; null: not counted. */
  readonly fraction: number | null;
  /** Such as amount, speed and time left. */
  readonly detail: string;
  /** Where it comes from, such as a URL: last, and only where there is room. */
  readonly origin: string;
}

/** Shows one thing that goes on, on stderr, until it is stopped. */
interface ProgressLine {
  update(state: ProgressState): void;
  stop(): void;
}

const BAR_CHARACTERS = 20;
const LEAST_BAR_CHARACTERS = 6;
const LEAST_SUBJECT_CHARACTERS = 12;
const GAP = '  ';
const PLAIN_LINE_EVERY_MS = 5_000;

/** A bar that is redrawn in place for a person who watches; otherwise a plain line every few seconds. */
export async function createProgressLine(terminal: Terminal): Promise<ProgressLine> {
  return terminal.interactive ? drawnLine() : plainLines(terminal);
}

async function drawnLine(): Promise<ProgressLine> {
  const { SingleBar } = (await import('cli-progress')).default;
  let state: ProgressState = { label: '', subject: '', fraction: null, detail: '', origin: '' };
  const bar = new SingleBar({
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    // Signals are the command's: it detaches, and stops the bar itself.
    gracefulExit: false,
    // One less: some terminals wrap a line that fills them.
    format: () => layoutProgress(state, (process.stderr.columns || 80) - 1),
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

/** `Installing on desk  qwen3:8b   62%  3.2/5.2 GB  48.0 MB/s  00:41  ━━━━━━━━━╌╌╌╌╌`, no longer than the line. */
export function layoutProgress({ label, subject, fraction, detail, origin }: ProgressState, width: number): string {
  const fixed = [label, percentOf(fraction), detail].filter(Boolean);
  const rest = width - stringWidth(fixed.join(GAP)) - GAP.length;
  const shown = subject === '' ? '' : cutMiddle(subject, Math.max(LEAST_SUBJECT_CHARACTERS, rest));
  const line = join(label, shown, percentOf(fraction), detail);
  const room = width - stringWidth(line) - GAP.length;
  const bar = room < LEAST_BAR_CHARACTERS ? '' : drawBar(fraction, Math.min(room, BAR_CHARACTERS));
  const whole = join(line, bar);
  const withOrigin = join(whole, origin);
  return cutEnd(stringWidth(withOrigin) <= width ? withOrigin : whole, width);
}

/** `━━━━━━━━━╌╌╌╌╌`; empty when nothing is counted. */
export function drawBar(fraction: number | null, characters: number): string {
  if (fraction === null) return '';
  const done = Math.floor(fraction * characters);
  return `${'━'.repeat(done)}${'╌'.repeat(characters - done)}`;
}

const percentOf = (fraction: number | null): string =>
  fraction === null ? '' : `${String(Math.floor(fraction * 100)).padStart(3)}%`;

const join = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(GAP);

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
    update: ({ label, subject, fraction, detail, origin }) => {
      waiting = join(label, subject, percentOf(fraction).trim(), detail, origin);
      if (timer === undefined) show();
    },
    stop: () => {
      clearTimeout(timer);
    },
  };
}
