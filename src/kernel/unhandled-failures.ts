import { config } from 'rxjs';

/** The log message of each: tests search the output of processes for it. */
export const UNHANDLED_FAILURE = 'unhandled failure';

export interface UnhandledFailure {
  readonly source: 'promise' | 'observable' | 'request';
  /** The id of the request that failed with it, where that is known. */
  readonly req_id?: string;
  /** Counts since the process started, this failure included. */
  readonly count: number;
  readonly stack: string;
}

/**
 * Counts and logs failures that no code handles. Node would end the whole process for a rejected promise without a handler, and RxJS
 * throws errors without an observer: a bug in one request would end all others.
 */
export class UnhandledFailures {
  private total = 0;

  constructor(private readonly log: (failure: UnhandledFailure) => void) {}

  get count(): number {
    return this.total;
  }

  note(source: UnhandledFailure['source'], error: unknown, requestId?: string): void {
    this.total += 1;
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.log({ source, count: this.total, stack, ...(requestId !== undefined && { req_id: requestId }) });
  }

  /** Keeps the process alive through rejected promises and failed observables without a handler. @returns a function that undoes it */
  watchProcess(): () => void {
    const onRejection = (reason: unknown): void => {
      this.note('promise', reason);
    };
    const onUnhandledError = (error: unknown): void => {
      this.note('observable', error);
    };
    process.on('unhandledRejection', onRejection);
    config.onUnhandledError = onUnhandledError;
    return () => {
      process.off('unhandledRejection', onRejection);
      if (config.onUnhandledError === onUnhandledError) config.onUnhandledError = null;
    };
  }
}
