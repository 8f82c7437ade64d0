import { monotonicMicros } from '../monotonic.js';
import { distribution } from '../statistics.js';
import type { LoadResult } from './load-protocol.js';

/** Counts everything and keeps the latencies of the window. */
export class Recorder {
  events = 0;
  requests = 0;
  private failures = 0;
  private firstFailure: string | null = null;
  private measuring = false;
  private besideUpload = false;
  private readonly transitMs: number[] = [];
  private readonly transitBesideMs: number[] = [];
  private readonly firstByteMs: number[] = [];

  measure(measuring: boolean): void {
    this.measuring = measuring;
  }

  upload(going: boolean): void {
    this.besideUpload = going;
  }

  readonly event = (sentMicros: number): void => {
    this.events += 1;
    if (!this.measuring) return;
    (this.besideUpload ? this.transitBesideMs : this.transitMs).push((monotonicMicros() - sentMicros) / 1_000);
  };

  readonly probeEvent = (): void => {
    this.events += 1;
  };

  firstByte(dueAtMs: number): void {
    if (this.measuring) this.firstByteMs.push(performance.now() - dueAtMs);
  }

  done(failure: string | null): void {
    if (failure === null) this.requests += 1;
    else {
      this.failures += 1;
      this.firstFailure ??= failure;
    }
  }

  result(): LoadResult {
    const { events, requests, failures, firstFailure } = this;
    return {
      events,
      requests,
      failures,
      firstFailure,
      transit: distribution(this.transitMs),
      transitBeside: distribution(this.transitBesideMs),
      firstByte: distribution(this.firstByteMs),
    };
  }
}
