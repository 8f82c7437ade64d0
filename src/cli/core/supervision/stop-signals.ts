/** Handles SIGINT, SIGTERM and SIGHUP of a program that shuts down gracefully. */
import { systemClock, type Clock } from '../../../kernel/clock.js';
import { CommandEnded } from '../errors/command-ended.js';
import { exitCodes } from '../errors/exit-codes.js';
import { createDeferred } from './deferred.js';

/** On Ctrl-C the terminal signals both npm and this process, and npm forwards its signal: two signals within this time are one key press. */
const SAME_KEY_PRESS_MS = 500;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof signals)[number];

interface StopSignals {
  /** Resolves at the first signal: drain. */
  readonly first: Promise<StopSignal>;
  /** Resolves at the second: stop now. */
  readonly second: Promise<StopSignal>;
  /** Restores Node's default handlers. */
  dispose(): void;
}

/** The part of `process` that is used here. */
export interface SignalSource {
  on(event: StopSignal, listener: () => void): unknown;
  off(event: StopSignal, listener: () => void): unknown;
}

/** @param ignored signals to ignore: a supervised process also receives Ctrl-C from the terminal, but its supervisor decides */
export function watchStopSignals(source: SignalSource, clock: Clock, ignored: readonly StopSignal[] = []): StopSignals {
  const first = createDeferred<StopSignal>();
  const second = createDeferred<StopSignal>();
  let firstAtMs: number | undefined;
  const listeners = signals.map((signal) => {
    const listener = (): void => {
      if (ignored.includes(signal)) return;
      if (firstAtMs === undefined) {
        firstAtMs = clock.monotonicMs();
        first.resolve(signal);
      } else if (clock.monotonicMs() - firstAtMs >= SAME_KEY_PRESS_MS) {
        second.resolve(signal);
      }
    };
    source.on(signal, listener);
    return { signal, listener };
  });
  return {
    first: first.promise,
    second: second.promise,
    dispose: () => {
      for (const { signal, listener } of listeners) source.off(signal, listener);
    },
  };
}

/** Runs the work with a signal that the first Ctrl-C, SIGTERM or SIGHUP aborts; the work decides how it ends then. */
export async function untilStopped<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const signals = watchStopSignals(process, systemClock);
  const stop = new AbortController();
  void signals.first.then(() => {
    stop.abort();
  });
  try {
    return await work(stop.signal);
  } finally {
    signals.dispose();
  }
}

/** The same for work that leaves nothing behind when it is aborted. @throws CommandEnded when it was */
export const untilInterrupted = <T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> =>
  untilStopped((stop) =>
    work(stop).catch((error: unknown) => {
      throw stop.aborted ? new CommandEnded(exitCodes.interrupted) : error;
    }),
  );
