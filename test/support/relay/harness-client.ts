import { Subscription } from 'rxjs';
import type { FerryError } from '../../../src/kernel/errors/ferry-error.js';
import type { UsageReport } from '../../../src/link/messages.js';
import { type InferenceRequest } from '../../../src/relay/routing/request/inference-request.js';
import type { OutcomeReport } from '../../../src/relay/routing/request/outcome-report.js';

/** Events that a client received: `data: …`, then at most one of `complete` and `error: code`. */
export class HarnessClient {
  readonly seen: string[] = [];
  readonly items: Uint8Array[] = [];
  readonly reports: OutcomeReport[] = [];
  /** Usage that arrived after the report. */
  readonly confirmed: (UsageReport | null)[] = [];
  error: FerryError | null = null;
  bodyReleases = 0;
  request!: InferenceRequest;
  private readBytes = 0;
  private readonly subscription = new Subscription();

  subscribe(): void {
    this.subscription.add(
      this.request.bytes$.subscribe({
        next: (bytes) => {
          this.items.push(bytes);
          this.seen.push(
            `data: ${Buffer.from(bytes)
              .toString()
              .replace(/^data: /, '')
              .trimEnd()}`,
          );
        },
        error: (error: FerryError) => {
          this.error = error;
          this.seen.push(`error: ${error.code}`);
        },
        complete: () => this.seen.push('complete'),
      }),
    );
  }

  /** Reads everything that has arrived so far. */
  read(): void {
    const bytes = this.items.reduce((sum, item) => sum + item.byteLength, 0);
    this.request.consumed(bytes - this.readBytes);
    this.readBytes = bytes;
  }

  leave(): void {
    this.subscription.unsubscribe();
  }
}
