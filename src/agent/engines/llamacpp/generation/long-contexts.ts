import type { LlamaContext, Token } from '../binding.js';
import { contextTooShort, modelUnloaded } from '../failures.js';
import { fits } from '../memory.js';
import { abortable } from './abortable.js';
import { SequencePool, type Lease } from './sequence-pool.js';

/** llama.cpp rounds contexts up to this. */
const STEP_TOKENS = 256;
/** A longer conversation takes the next size: its prompt is evaluated again then, so sizes grow by factors. */
const GROWTH = 2;
/** An agent may pause for minutes between two questions, and a long prompt is expensive to read again. */
const IDLE_MS = 15 * 60_000;

export interface LongContextsOptions {
  /** Tokens that a sequence of the shared context has; a power of two times this is what a long one gets. */
  readonly sharedTokens: number;
  /** What the model was trained for. */
  readonly trainTokens: number;
  /** At most so many at once. */
  readonly limit: number;
  /** For one sequence of that size. Undefined: not known, and then there are no long contexts. */
  readonly bytesFor: (contextTokens: number) => Promise<number | undefined>;
  readonly freeBytes: () => number;
  readonly create: (contextTokens: number) => Promise<LlamaContext>;
  readonly idleMs?: number;
}

interface LongContext {
  readonly context: LlamaContext;
  readonly pool: SequencePool;
  lease: Lease | undefined;
  idleTimer: NodeJS.Timeout | undefined;
}

/**
 * Contexts of one sequence each, for prompts that are longer than a sequence of the shared context. They are made when they are needed, as
 * far as the memory that is free goes: a single request can have all of it, several share it. Without one, no memory is taken.
 */
export class LongContexts {
  /** Longest idle first. */
  private readonly contexts = new Set<LongContext>();
  private readonly waiting = new Set<() => void>();
  /** One at a time: two at once would count on the same free memory. */
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

  /** The longest context that a request can have, by the memory that was free when it was last looked at. */
  get largestTokens(): number {
    return this.possible;
  }

  /** Looks at the free memory again. While there are long contexts, the last look stands. */
  async measure(): Promise<void> {
    if (this.contexts.size === 0) this.possible = await this.largestThatFits();
  }

  /** What can be had at once. Undefined: nothing. @throws the signal's reason */
  acquireNow(prompt: readonly Token[], neededTokens: number, signal: AbortSignal): Promise<Lease | undefined> {
    const mine = this.turn.then(() => this.take(prompt, neededTokens, signal));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  /**
   * @param neededTokens for the prompt and what there must be room for behind it
   * @throws EngineFailure when there is not enough memory for it, whatever else is given up; the signal's reason
   */
  async acquire(prompt: readonly Token[], neededTokens: number, signal: AbortSignal): Promise<Lease> {
    for (;;) {
      signal.throwIfAborted();
      if (this.closed) throw modelUnloaded();
      const released = this.nextRelease();
      // Not given up on at an abort: what it takes must not be lost.
      const lease = await this.acquireNow(prompt, neededTokens, signal);
      if (lease !== undefined) return lease;
      // As many as there are slots can wait here, each as long as its request lives.
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

  /** Undefined: others have the memory for now. */
  private async take(prompt: readonly Token[], neededTokens: number, signal: AbortSignal): Promise<Lease | undefined> {
    signal.throwIfAborted();
    if (this.closed) throw modelUnloaded();
    const idle = [...this.contexts].filter(({ lease }) => lease === undefined);
    const roomy = idle.filter(({ context }) => context.contextSize >= neededTokens);
    const warmest = roomy
      .filter(({ pool }) => pool.isWarmFor(prompt))
      .sort((one, other) => other.pool.sharedTokens(prompt) - one.pool.sharedTokens(prompt))[0];
    if (warmest !== undefined) return this.lend(warmest, prompt, signal);
    // The conversation has outgrown it: nobody else will ask for what it holds.
    const outgrown = idle.find((long) => !roomy.includes(long) && long.pool.isWarmFor(prompt));
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

  /** As large as it should be, else as large as it must be. Undefined: not now. */
  private async make(neededTokens: number): Promise<LongContext | undefined> {
    if (this.contexts.size >= this.options.limit) return undefined;
    const { trainTokens, create } = this.options;
    for (const wanted of [this.comfortable(neededTokens), roundedUp(neededTokens)]) {
      const tokens = Math.min(wanted, Math.max(trainTokens, neededTokens));
      if (!(await this.hasMemoryFor(tokens))) continue;
      const context = await create(tokens).catch(() => undefined);
      if (context === undefined) continue;
      const long = { context, pool: new SequencePool(context, 1), lease: undefined, idleTimer: undefined };
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
    if (await this.hasMemoryFor(trainTokens)) return trainTokens;
    let low = Math.floor(sharedTokens / STEP_TOKENS);
    let high = Math.ceil(trainTokens / STEP_TOKENS);
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (await this.hasMemoryFor(middle * STEP_TOKENS)) low = middle;
      else high = middle;
    }
    return Math.max(sharedTokens, low * STEP_TOKENS);
  }

  private async hasMemoryFor(contextTokens: number): Promise<boolean> {
    const bytes = await this.options.bytesFor(contextTokens);
    return bytes !== undefined && fits(bytes, this.options.freeBytes());
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
