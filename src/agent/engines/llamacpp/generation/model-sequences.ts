import type { Token } from '../binding.js';
import type { MemoryBytes } from '../memory.js';
import type { LongContexts } from './long-contexts.js';
import type { Lease, SequencePool } from './sequence-pool.js';

/** Room for a response without a limit; a longer answer moves to a longer context. */
const RESPONSE_TOKENS = 1_024;

/** All sequences of a model: those of the shared context, and longer ones for requests that do not fit there. */
export class ModelSequences {
  constructor(
    private readonly shared: SequencePool,
    private readonly sharedTokens: number,
    /** Absent with a configured context length. */
    private readonly long: LongContexts | undefined,
  ) {}

  /** Limit of one request, prompt and answer together. */
  get contextTokens(): number {
    return Math.max(this.sharedTokens, this.long?.largestTokens ?? 0);
  }

  /** Sums the contexts for longer requests. */
  get longMemory(): MemoryBytes {
    return this.long?.memory ?? { ram: 0, vram: 0 };
  }

  /** Measures free memory again, which may change `contextTokens`. */
  async measure(): Promise<void> {
    await this.long?.measure();
  }

  /** @throws EngineFailure when no sequence is free in time or memory is insufficient; the signal's reason */
  acquire(prompt: readonly Token[], maxTokens: number | undefined, signal: AbortSignal): Promise<Lease> {
    const room = Math.min(maxTokens ?? RESPONSE_TOKENS, RESPONSE_TOKENS);
    const neededTokens = Math.min(prompt.length + room, this.contextTokens);
    if (this.long === undefined || neededTokens <= this.sharedTokens) return this.shared.acquire(prompt, signal);
    return this.long.acquire(prompt, neededTokens, signal);
  }

  /** A longer sequence for a response that has filled its own. Undefined when there is none. @throws the signal's reason */
  async longer(state: readonly Token[], signal: AbortSignal): Promise<Lease | undefined> {
    const neededTokens = Math.min(state.length + RESPONSE_TOKENS, this.contextTokens);
    if (this.long === undefined || neededTokens <= Math.max(this.sharedTokens, state.length)) return undefined;
    try {
      // Does not wait, because waiting could deadlock.
      return await this.long.acquireNow(state, neededTokens, signal);
    } catch {
      // The response then ends because its context is full.
      signal.throwIfAborted();
      return undefined;
    }
  }

  /** Refuses new requests; those that have or await a sequence of the shared context continue. */
  close(): void {
    this.shared.close();
    this.long?.close();
  }

  reopen(): void {
    this.shared.reopen();
    this.long?.reopen();
  }

  /** Aborts running requests with this reason. */
  revoke(reason: Error): void {
    this.shared.revoke(reason);
    this.long?.revoke(reason);
  }

  /** Resolves when every sequence is released. */
  async drained(): Promise<void> {
    await Promise.all([this.shared.drained(), this.long?.drained()]);
  }

  /** Disposes the long contexts; the model disposes the shared one. */
  async dispose(): Promise<void> {
    await this.long?.dispose();
  }
}
