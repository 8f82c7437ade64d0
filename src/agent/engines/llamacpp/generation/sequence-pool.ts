import type { LlamaContext, LlamaSequence, Token } from '../binding.js';
import { engineBusy, modelUnloaded } from '../failures.js';
import { sequenceNumber } from './batch-order.js';
import { BatchTurns } from './batch-turns.js';

/** Long enough for an aborted request to finish its batch; the node's slot gate prevents real overload. */
const ACQUIRE_WAIT_MS = 2_000;
/** Minimum shared share of the new prompt to reuse a state; below it the oldest state is replaced. */
const MIN_SHARED_SHARE = 0.1;

export interface Lease {
  readonly sequence: LlamaSequence;
  /** Fires with the request's signal, or when the pool revokes its sequences. */
  readonly signal: AbortSignal;
  /** Maximum batch of its context. */
  readonly batchTokens: number;
  /** Tokens of the first batch of a prompt, before its speed is known. Undefined: the usual one. */
  readonly firstBatchTokens: number | undefined;
  readonly turns: BatchTurns;
  /** Truncates the state to the prefix shared with the prompt. Resolves to its length. */
  rewind(prompt: readonly Token[]): Promise<number>;
  /** Releases the sequence. An unhealthy one is replaced, because its state may be invalid. */
  release(healthy: boolean): void;
}

/** The sequences of one context. Idle ones keep their state, so that a continued conversation is not evaluated from the start. */
export class SequencePool {
  /** Sequences are in order of release, oldest first. */
  private readonly idle: LlamaSequence[];
  /** Number of sequences, idle or not. */
  private live: number;
  private readonly onDrained = new Set<() => void>();
  /** Numbers of the sequences that are not idle. */
  private readonly busy = new Set<number>();
  private readonly turns = new BatchTurns();
  private readonly revocations = new Set<(reason: Error) => void>();
  private closed = false;
  private readonly waiting: ((sequence: LlamaSequence) => void)[] = [];

  constructor(
    private readonly context: LlamaContext,
    private readonly size: number,
    private readonly firstBatchTokens?: number,
  ) {
    this.live = size;
    this.idle = Array.from({ length: size }, () => context.getSequence());
  }

  /** @throws EngineFailure 429 when none is free in time; the signal's reason */
  async acquire(prompt: readonly Token[], signal: AbortSignal): Promise<Lease> {
    signal.throwIfAborted();
    if (this.closed) throw modelUnloaded();
    const sequence = this.take(prompt) ?? (await this.wait(signal));
    const { signal: leaseSignal, forget } = this.revocable(signal);
    const giveBack = this.releaseOnce(sequence);
    return {
      sequence,
      signal: leaseSignal,
      batchTokens: this.context.batchSize,
      firstBatchTokens: this.firstBatchTokens,
      turns: this.turns,
      rewind: (tokens) => keepSharedPrefix(sequence, tokens),
      release: (healthy) => {
        forget();
        giveBack(healthy);
      },
    };
  }

  /** Longest prefix that an idle sequence shares with the prompt. */
  sharedTokens(prompt: readonly Token[]): number {
    return Math.max(0, ...this.idle.map((sequence) => sharedPrefix(sequence, prompt)));
  }

  /** Whether an idle sequence shares enough of the prompt to be reused. */
  hasCachedPromptFor(prompt: readonly Token[]): boolean {
    const shared = this.sharedTokens(prompt);
    return shared > 0 && shared >= prompt.length * MIN_SHARED_SHARE;
  }

  /** Refuses new requests; those that have or await a sequence continue. */
  close(): void {
    this.closed = true;
  }

  reopen(): void {
    this.closed = false;
  }

  /** Aborts running requests with this reason. */
  revoke(reason: Error): void {
    for (const revocation of this.revocations) revocation(reason);
  }

  /** Resolves when every sequence is released. */
  async drained(): Promise<void> {
    if (this.isDrained()) return;
    await new Promise<void>((resolve) => {
      this.onDrained.add(resolve);
    });
  }

  /** `AbortSignal.any` is avoided: on Node 20 its results leak on a long-lived source signal. */
  private revocable(signal: AbortSignal): { readonly signal: AbortSignal; readonly forget: () => void } {
    const controller = new AbortController();
    const revocation = (reason: Error): void => {
      controller.abort(reason);
    };
    const onAbort = (): void => {
      controller.abort(signal.reason);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    this.revocations.add(revocation);
    return {
      signal: controller.signal,
      forget: () => {
        this.revocations.delete(revocation);
        signal.removeEventListener('abort', onAbort);
      },
    };
  }

  private isDrained(): boolean {
    return this.idle.length >= this.live;
  }

  private take(prompt: readonly Token[]): LlamaSequence | undefined {
    const shared = this.idle.map((sequence) => sharedPrefix(sequence, prompt));
    const best = Math.max(0, ...shared);
    const index = best >= prompt.length * MIN_SHARED_SHARE ? shared.indexOf(best) : this.replaceable();
    const [sequence] = this.idle.splice(index, 1);
    if (sequence !== undefined) this.busy.add(sequenceNumber(sequence));
    return sequence;
  }

  /** The oldest state beside a sequence that computes, because llama.cpp computes neighbours together; else the oldest of all. */
  private replaceable(): number {
    const hasBusyNeighbour = (sequence: LlamaSequence): boolean => {
      const number = sequenceNumber(sequence);
      return this.busy.has(number - 1) || this.busy.has(number + 1);
    };
    return Math.max(0, this.idle.findIndex(hasBusyNeighbour));
  }

  private wait(signal: AbortSignal): Promise<LlamaSequence> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        const index = this.waiting.indexOf(onFree);
        if (index >= 0) this.waiting.splice(index, 1);
      };
      const onFree = (sequence: LlamaSequence): void => {
        settle();
        resolve(sequence);
      };
      const onAbort = (): void => {
        settle();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        settle();
        reject(engineBusy(`all ${this.size} slots of the engine are in use`));
      }, ACQUIRE_WAIT_MS);
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.push(onFree);
    });
  }

  private releaseOnce(sequence: LlamaSequence): Lease['release'] {
    let released = false;
    return (healthy) => {
      if (released) return;
      released = true;
      if (healthy) this.giveBack(sequence);
      else void this.replace(sequence);
    };
  }

  private giveBack(sequence: LlamaSequence): void {
    const next = this.waiting.shift();
    if (next !== undefined) {
      this.busy.add(sequenceNumber(sequence));
      next(sequence);
      return;
    }
    this.busy.delete(sequenceNumber(sequence));
    this.idle.push(sequence);
    this.checkDrained();
  }

  /** The pool shrinks when its context is being disposed and gives no new sequence. */
  private async replace(sequence: LlamaSequence): Promise<void> {
    this.busy.delete(sequenceNumber(sequence));
    try {
      await sequence.dispose();
      this.giveBack(this.context.getSequence());
    } catch {
      // Disposed with its context.
      this.live -= 1;
      this.checkDrained();
    }
  }

  private checkDrained(): void {
    if (!this.isDrained()) return;
    for (const resolve of this.onDrained) resolve();
    this.onDrained.clear();
  }
}

/** Excludes the last token of the prompt, which must be evaluated for the logits of the first token of the response. */
const sharedPrefix = (sequence: LlamaSequence, prompt: readonly Token[]): number =>
  Math.min(sequence.compareContextTokens(prompt).firstDifferentIndex, prompt.length - 1);

async function keepSharedPrefix(sequence: LlamaSequence, prompt: readonly Token[]): Promise<number> {
  // Truncating such a state would evaluate the rest again at once, which cannot be aborted.
  const shared = sequence.needsCheckpoints ? 0 : sharedPrefix(sequence, prompt);
  if (sequence.nextTokenIndex === shared) return shared;
  if (shared === 0) await sequence.clearHistory();
  else await sequence.eraseContextTokenRanges([{ start: shared, end: sequence.nextTokenIndex }]);
  return sequence.nextTokenIndex;
}
