import stringWidth from 'string-width';
import { cutEnd, cutMiddle } from './fit-columns.js';
import type { Terminal } from './terminal.js';

/** Progress of a long task. */
export interface ProgressState {
  /** The task and its place, such as "Installing on desk". */
  readonly label: string;
  /** The file or model; truncated when the line is too long. */
  readonly subject: string;
  /** 0 to 1; null when unknown. */
  readonly fraction: number | null;
  /** Amount, speed, time left. */
  readonly detail: string;
  /** Source, such as a URL; shown last, and only when it fits. */
  readonly origin: string;
}

/** Shows the progress of one task on stderr until it is stopped. */
interface ProgressLine {
  update(state: ProgressState): void;
  stop(): void;
}

const BAR_CHARACTERS = 20;
const LEAST_BAR_CHARACTERS = 6;
const LEAST_SUBJECT_CHARACTERS = 12;
const GAP = '  ';
const SHOW_SECONDS_FROM = 3;
const PLAIN_LINE_EVERY_MS = 5_000;

/** A progress bar that is redrawn in place on a terminal; otherwise a plain line every few seconds. */
export async function createProgressLine(terminal: Terminal): Promise<ProgressLine> {
  return terminal.interactive ? drawnLine() : plainLines(terminal);
}

async function drawnLine(): Promise<ProgressLine> {
  const { SingleBar } = (await import('cli-progress')).default;
  let state: ProgressState = { label: '', subject: '', fraction: null, detail: '', origin: '' };
  let sinceMs = performance.now();
  const bar = new SingleBar({
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    // The command handles signals: it detaches and stops the bar itself.
    gracefulExit: false,
    // One column less: some terminals wrap a line of full width.
    format: () => layoutProgress(withElapsed(state, performance.now() - sinceMs), (process.stderr.columns || 80) - 1),
  });
  bar.start(1, 0);
  return {
    update: (next) => {
      if (next.detail !== state.detail) sinceMs = performance.now();
      state = next;
      bar.update(next.fraction ?? 0);
    },
    stop: () => {
      bar.stop();
    },
  };
}

/** Where nothing is counted, as most engines load, a step is seen to go on: `loading  12 s`. */
export function withElapsed(state: ProgressState, elapsedMs: number): ProgressState {
  const seconds = Math.floor(elapsedMs / 1_000);
  return state.fraction !== null || seconds < SHOW_SECONDS_FROM
    ? state
    : { ...state, detail: join(state.detail, `${String(seconds)} s`) };
}

/** `Installing on desk  qwen3:8b   62%  3.2/5.2 GB  48.0 MB/s  00:41  ━━━━━━━━━╌╌╌╌╌`, truncated to the width. */
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

/** `━━━━━━━━━╌╌╌╌╌`; empty when the fraction is unknown. */
export function drawBar(fraction: number | null, characters: number): string {
  if (fraction === null) return '';
  const done = Math.floor(fraction * characters);
  return `${'━'.repeat(done)}${'╌'.repeat(characters - done)}`;
}

const percentOf = (fraction: number | null): string =>
  fraction === null ? '' : `${String(Math.floor(fraction * 100)).padStart(3)}%`;

const join = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(GAP);

/** Prints the first state immediately, then the latest one every few seconds, and never the same line twice. */
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
