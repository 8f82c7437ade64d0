import { modelUnloaded } from '../failures.js';

/** Running requests of an embedding model, so that it is not unloaded under them. */
export class EmbeddingTurns {
  private readonly running = new Set<AbortController>();
  private readonly waiting = new Set<() => void>();
  private closed = false;

  /** @throws EngineFailure while the model is unloaded; what `compute` throws; the reason of `revoke` or of the signal */
  async run<Result>(outer: AbortSignal, compute: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (this.closed) throw modelUnloaded();
    const revoked = new AbortController();
    this.running.add(revoked);
    try {
      return await compute(AbortSignal.any([outer, revoked.signal]));
    } finally {
      this.running.delete(revoked);
      if (this.running.size === 0) this.resolveWaiting();
    }
  }

  /** Refuses new requests; running ones continue. */
  close(): void {
    this.closed = true;
  }

  reopen(): void {
    this.closed = false;
  }

  revoke(reason: Error): void {
    for (const request of this.running) request.abort(reason);
  }

  /** Resolves when none runs. */
  async drained(): Promise<void> {
    if (this.running.size > 0) await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  /** The context is of one length. */
  async measure(): Promise<void> {
    await Promise.resolve();
  }

  private resolveWaiting(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }
}
