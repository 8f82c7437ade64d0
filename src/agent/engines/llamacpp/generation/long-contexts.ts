import type { LlamaContext, Token } from '../binding.js';
import { contextTooShort, modelUnloaded } from '../failures.js';
import { fits, sum, type FreeMemory, type MemoryBytes } from '../memory.js';
import { abortable } from './abortable.js';
import { SequencePool, type Lease } from './sequence-pool.js';

/** llama.cpp rounds contexts up to this. */
const STEP_TOKENS = 256;
/** Factor between sizes. Geometric, because a conversation that moves to the next size is evaluated again. */
const GROWTH = 2;
/** Long, because an agent may pause for minutes and a long prompt is expensive to evaluate again. */
const IDLE_MS = 15 * 60_000;

interface LongContextsOptions {
  /** Tokens per sequence of the shared context; long contexts have this times a power of two. */
  readonly sharedTokens: number;
  /** Trained context. */
  readonly trainTokens: number;
  /** Maximum number of long contexts. */
  readonly limit: number;
  /** Memory of one sequence of that size. Undefined when unknown, which disables long contexts. */
  readonly memoryFor: (contextTokens: number) => Promise<MemoryBytes | undefined>;
  readonly freeMemory: () => Promise<FreeMemory>;
  readonly create: (contextTokens: number) => Promise<LlamaContext>;
  /** Passed on to the sequence pool. */
  readonly firstBatchTokens?: number | undefined;
  readonly idleMs?: number;
}

interface LongContext {
  readonly context: LlamaContext;
  readonly pool: SequencePool;
  lease: Lease | undefined;
  idleTimer: NodeJS.Timeout | undefined;
}

/**
 * Contexts of one sequence each, for prompts longer than a sequence of the shared context. Created on demand as far as free memory allows:
 * one request may use all of it, several share it.
 */
export class LongContexts {
  /** In order of last use, oldest first. */
  private readonly contexts = new Set<LongContext>();
  private readonly waiting = new Set<() => void>();
  /** Serialises creation: two at once would count the same free memory. */
  private turn: Promise<unknown> = Promise.resolve();
  private closed = false;
  private possible: number;

  private constructor(private readonly options: LongContextsOptions) {
    this.possible = options.sharedTokens;
  }

  static async of(options: LongContextsOptions): Promise<LongContexts> {
    const contexts = new LongContexts(options);
    await contexts.measure();
    return contexts;
  }

  /** The longest possible context, by the last measured free memory. */
  get largestTokens(): number {
    return this.possible;
  }

  /** Allocated now. */
  get memory(): MemoryBytes {
    const used = Array.from(this.contexts, ({ context }) => context.memoryUsage);
    return used.reduce<MemoryBytes>(sum, { ram: 0, vram: 0 });
  }

  /** Measures free memory again, unless long contexts exist. */
  async measure(): Promise<void> {
    if (this.contexts.size === 0) this.possible = await this.largestThatFits();
  }

  /** Acquires without waiting. Undefined when nothing is available. @throws the signal's reason */
  acquireNow(prompt: readonly Token[], neededTokens: number, signal: AbortSignal): Promise<Lease | undefined> {
    const mine = this.turn.then(() => this.take(prompt, neededTokens, signal));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  /**
   * @param neededTokens prompt and minimum room for the response
   * @throws EngineFailure when memory is insufficient even without other long contexts; the signal's reason
   */
  async acquire(prompt: readonly Token[], neededTokens: number, signal: AbortSignal): Promise<Lease> {
    for (;;) {
      signal.throwIfAborted();
      if (this.closed) throw modelUnloaded();
      const released = this.nextRelease();
      // Not aborted, because its lease would be lost.
      const lease = await this.acquireNow(prompt, neededTokens, signal);
      if (lease !== undefined) return lease;
      // At most one request per slot waits here, until its end.
      await abortable(released, signal);
    }
  }

  close(): void {
    this.closed = true;
    this.wake();
  }

  reopen(): void {
    this.closed = false;
  }

  revoke(reason: Error): void {
    for (const { pool } of this.contexts) pool.revoke(reason);
  }

  async drained(): Promise<void> {
    await this.turn;
    await Promise.all(Array.from(this.contexts, ({ pool }) => pool.drained()));
  }

  async dispose(): Promise<void> {
    this.close();
    await this.turn;
    for (const long of [...this.contexts]) await this.remove(long);
  }

  /** Undefined while others use the memory. */
  private async take(prompt: readonly Token[], neededTokens: number, signal: AbortSignal): Promise<Lease | undefined> {
    signal.throwIfAborted();
    if (this.closed) throw modelUnloaded();
    const idle = [...this.contexts].filter(({ lease }) => lease === undefined);
    const roomy = idle.filter(({ context }) => context.contextSize >= neededTokens);
    const mostCached = roomy
      .filter(({ pool }) => pool.hasCachedPromptFor(prompt))
      .sort((one, other) => other.pool.sharedTokens(prompt) - one.pool.sharedTokens(prompt))[0];
    if (mostCached !== undefined) return this.lend(mostCached, prompt, signal);
    // The conversation has outgrown this context, and no other one uses its state.
    const outgrown = idle.find((long) => !roomy.includes(long) && long.pool.hasCachedPromptFor(prompt));
    if (outgrown !== undefined) await this.remove(outgrown);
    const made = (await this.make(neededTokens)) ?? roomy[0];
    if (made !== undefined) return this.lend(made, prompt, signal);
    for (const long of idle) {
      if (!this.contexts.has(long)) continue;
      await this.remove(long);
      const instead = await this.make(neededTokens);
      if (instead !== undefined) return this.lend(instead, prompt, signal);
    }
    if (this.contexts.size > 0) return undefined;
    await this.measure();
    throw contextTooShort(prompt.length, this.possible);
  }

  /** Tries the preferred size, then the minimum. Undefined when neither fits now. */
  private async make(neededTokens: number): Promise<LongContext | undefined> {
    if (this.contexts.size >= this.options.limit) return undefined;
    const { trainTokens, create, firstBatchTokens } = this.options;
    for (const wanted of [this.comfortable(neededTokens), roundedUp(neededTokens)]) {
      const tokens = Math.min(wanted, Math.max(trainTokens, neededTokens));
      if (!(await this.hasMemoryFor(tokens, await this.options.freeMemory()))) continue;
      const context = await create(tokens).catch(() => undefined);
      if (context === undefined) continue;
      const pool = new SequencePool(context, 1, firstBatchTokens);
      const long = { context, pool, lease: undefined, idleTimer: undefined };
      this.contexts.add(long);
      return long;
    }
    return undefined;
  }

  private comfortable(neededTokens: number): number {
    let tokens = this.options.sharedTokens * GROWTH;
    while (tokens < neededTokens) tokens *= GROWTH;
    return tokens;
  }

  private async lend(long: LongContext, prompt: readonly Token[], signal: AbortSignal): Promise<Lease> {
    clearTimeout(long.idleTimer);
    const inner = await long.pool.acquire(prompt, signal);
    const lease: Lease = {
      ...inner,
      release: (healthy) => {
        inner.release(healthy);
        if (long.lease === lease) this.released(long);
      },
    };
    long.lease = lease;
    return lease;
  }

  private released(long: LongContext): void {
    long.lease = undefined;
    this.contexts.delete(long);
    this.contexts.add(long);
    long.idleTimer = setTimeout(() => {
      this.turn = this.turn
        .then(() => (long.lease === undefined ? this.remove(long) : undefined))
        .catch(() => undefined);
    }, this.options.idleMs ?? IDLE_MS).unref();
    this.wake();
  }

  private async remove(long: LongContext): Promise<void> {
    if (!this.contexts.delete(long)) return;
    clearTimeout(long.idleTimer);
    await long.context.dispose();
  }

  private async largestThatFits(): Promise<number> {
    const { sharedTokens, trainTokens } = this.options;
    if (trainTokens <= sharedTokens) return sharedTokens;
    const free = await this.options.freeMemory();
    if (await this.hasMemoryFor(trainTokens, free)) return trainTokens;
    let low = Math.floor(sharedTokens / STEP_TOKENS);
    let high = Math.ceil(trainTokens / STEP_TOKENS);
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (await this.hasMemoryFor(middle * STEP_TOKENS, free)) low = middle;
      else high = middle;
    }
    return Math.max(sharedTokens, low * STEP_TOKENS);
  }

  private async hasMemoryFor(contextTokens: number, free: FreeMemory): Promise<boolean> {
    const need = await this.options.memoryFor(contextTokens);
    return need !== undefined && fits(need, free);
  }

  private nextRelease(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.waiting.delete(wake);
        resolve();
      };
      this.waiting.add(wake);
    });
  }

  private wake(): void {
    for (const wake of this.waiting) wake();
  }
}

const roundedUp = (tokens: number): number => Math.ceil(tokens / STEP_TOKENS) * STEP_TOKENS;
