import type { Subscription } from 'rxjs';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { RequestId } from '../../../kernel/ids.js';
import { toFerryError } from '../../platform/http/errors/to-ferry-error.js';
import type { InferenceRequest } from '../request/inference-request.js';
import type { OutcomeReport } from '../request/outcome-report.js';

export interface PartOwner {
  /** @throws FerryError when the whole response gets too large */
  received(bytes: number): void;
  completed(part: RequestPart): void;
  failed(error: FerryError): void;
}

/** One part of a request, as an inference request of its own, with its response in memory. */
export class RequestPart {
  private readonly chunks: Uint8Array[] = [];
  private subscription: Subscription | null = null;
  private error: FerryError | null = null;
  private over = false;
  /** Its node reports its usage after it was stopped. */
  usagePending = false;

  constructor(
    /** Position among the parts. */
    readonly index: number,
    readonly request: InferenceRequest,
    private readonly owner: PartOwner,
  ) {}

  get id(): RequestId {
    return this.request.routed.context.requestId;
  }

  get response(): Buffer {
    return Buffer.concat(this.chunks);
  }

  start(): void {
    const { request } = this;
    this.subscription = request.bytes$.subscribe({
      next: (bytes) => {
        this.take(bytes);
      },
      error: (error: unknown) => {
        this.error = toFerryError(error);
      },
    });
    if (this.over) this.subscription.unsubscribe();
  }

  /** Idempotent. The node is told to stop. */
  stop(): void {
    this.over = true;
    this.subscription?.unsubscribe();
  }

  /** Its only report: behind its last byte, its error or its stop. */
  reported({ outcome, usagePending }: OutcomeReport): void {
    this.usagePending = usagePending;
    if (this.over) return;
    this.over = true;
    if (outcome === 'completed') this.owner.completed(this);
    else this.owner.failed(this.error ?? new FerryError('engine_error'));
  }

  private take(bytes: Uint8Array): void {
    try {
      this.owner.received(bytes.byteLength);
    } catch (error) {
      this.owner.failed(toFerryError(error));
      return;
    }
    // The memory of a frame is used again.
    this.chunks.push(Uint8Array.from(bytes));
    this.request.consumed(bytes.byteLength);
  }
}
