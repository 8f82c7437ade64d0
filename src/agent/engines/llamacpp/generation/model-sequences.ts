import type { Token } from '../binding.js';
import type { LongContexts } from './long-contexts.js';
import type { Lease, SequencePool } from './sequence-pool.js';

/** Room behind a prompt for an answer that has no limit of its own: one that needs more moves to a longer context. */
const ANSWER_TOKENS = 1_024;

/** All sequences of a model: those of the context that requests share, and longer ones for what does not fit there. */
export class ModelSequences {
  constructor(
    private readonly shared: SequencePool,
    private readonly sharedTokens: number,
    /** Absent where the owner has said how much context there is. */
    private readonly long: LongContexts | undefined,
  ) {}

  /** Tokens of prompt and answer together that one request can have. */
  get contextTokens(): number {
    return Math.max(this.sharedTokens, this.long?.largestTokens ?? 0);
  }

  /** Looks at the free memory again, by which `contextTokens` may become another number. */
  async measure(): Promise<void> {
    await this.long?.measure();
  }

  /** @throws EngineFailure when no sequence is free in time, or the memory is too short; the signal's reason */
  acquire(prompt: readonly Token[], maxTokens: number | undefined, signal: AbortSignal): Promise<Lease> {
    const room = Math.min(maxTokens ?? ANSWER_TOKENS, ANSWER_TOKENS);
    const neededTokens = Math.min(prompt.length + room, this.contextTokens);
    if (this.long === undefined || neededTokens <= this.sharedTokens) return this.shared.acquire(prompt, signal);
    return this.long.acquire(prompt, neededTokens, signal);
  }

  /** A longer sequence for an answer that has filled its own. Undefined: there is none. @throws the signal's reason */
  async longer(state: readonly Token[], signal: AbortSignal): Promise<Lease | undefined> {
    const neededTokens = Math.min(state.length + ANSWER_TOKENS, this.contextTokens);
    if (this.long === undefined || neededTokens <= Math.max(this.sharedTokens, state.length)) return undefined;
    try {
      // Without waiting: what it would wait for may wait for it.
      return await this.long.acquireNow(state, neededTokens, signal);
    } catch {
      // The answer ends as one that has filled its context.
      signal.throwIfAborted();
      return undefined;
    }
  }

  /** Nobody begins any more; who has a sequence, or waits for one of the shared context, goes on. */
  close(): void {
    this.shared.close();
    this.long?.close();
  }

  reopen(): void {
    this.shared.reopen();
    this.long?.reopen();
  }

  /** Ends what still runs, with this reason. */
  revoke(reason: Error): void {
    this.shared.revoke(reason);
    this.long?.revoke(reason);
  }

  /** Resolves when every sequence is back. */
  async drained(): Promise<void> {
    await Promise.all([this.shared.drained(), this.long?.drained()]);
  }

  /** Of the longer contexts; the shared one is its model's. */
  async dispose(): Promise<void> {
    await this.long?.dispose();
  }
}
