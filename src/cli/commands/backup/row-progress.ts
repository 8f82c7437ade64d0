import { systemClock, type Clock } from '../../../kernel/clock.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { createProgressLine, type ProgressState } from '../../core/output/progress-line.js';
import { formatCount, formatDuration } from '../../core/output/quantities.js';
import type { Terminal } from '../../core/output/terminal.js';
import { untilStopped } from '../../core/supervision/stop-signals.js';

interface Copy {
  /** Such as "Backing up". */
  readonly label: string;
  /** Completes the message after Ctrl-C; one sentence without its full stop. */
  readonly untouched: string;
}

interface Watched {
  readonly signal: AbortSignal;
  readonly onRows?: (done: number, total: number) => void;
}

/** Copies rows with a bar on a terminal. @throws CliError (interrupted) after Ctrl-C, which says what stays */
export async function copyRows<Result>(
  terminal: Terminal,
  { label, untouched }: Copy,
  work: (watched: Watched) => Promise<Result>,
): Promise<Result> {
  return untilStopped(async (signal) => {
    // In a pipe the result says it all.
    const line = terminal.interactive ? await createProgressLine(terminal) : undefined;
    const rate = new RowRate(label, systemClock);
    const onRows = (done: number, total: number): void => {
      line?.update(rate.state(done, total));
    };
    try {
      return await work({ signal, ...(line !== undefined && { onRows }) });
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new CliError('interrupted', exitCodes.interrupted, `interrupted: ${untouched}`, {
        hint: 'the same command again begins from the start',
        cause: error,
      });
    } finally {
      line?.stop();
    }
  });
}

/** `12 000 of 40 000 rows  8 000 rows/s  00:04`. */
export class RowRate {
  private readonly startedAtMs: number;

  constructor(
    private readonly label: string,
    private readonly clock: Clock,
  ) {
    this.startedAtMs = clock.monotonicMs();
  }

  state(done: number, total: number): ProgressState {
    const seconds = (this.clock.monotonicMs() - this.startedAtMs) / 1_000;
    const perSecond = seconds > 0 ? done / seconds : 0;
    const parts = [`${formatCount(done)} of ${formatCount(total)} rows`];
    if (perSecond > 0) {
      parts.push(`${formatCount(Math.round(perSecond))} rows/s`, formatDuration(Math.max(0, total - done) / perSecond));
    }
    const fraction = total > 0 ? Math.min(1, done / total) : null;
    return { label: this.label, subject: '', fraction, detail: parts.join('  '), origin: '' };
  }
}
