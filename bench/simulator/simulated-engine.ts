import { LruMap } from '../../src/kernel/lru-map.js';
import type { NodeSpecification } from './workload.js';
import type { VirtualTime } from './virtual-time.js';

export interface Prompt {
  readonly conversation: string;
  readonly group: string;
  readonly systemTokens: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
}

export interface JobListener {
  readonly begun: (cachedTokens: number) => void;
  readonly finished: () => void;
}

interface Job {
  readonly prompt: Prompt;
  readonly cachedTokens: number;
  readonly listener: JobListener;
  /** Remaining milliseconds of the phase, if the job ran alone. */
  leftMs: number;
  phase: 'prefill' | 'decode';
}

/** Cost of the chat template and the sampler before the first token, independent of the prompt. */
const FIRST_TOKEN_MS = 15;

/** One engine whose requests share its speed and which caches the most recent prompts. */
export class SimulatedEngine {
  readonly jobs = new Set<Job>();
  private readonly prompts: LruMap<string, number>;
  private advancedAtMs = 0;
  /** Invalidates wake-ups that were scheduled before the last change. */
  private plan = 0;

  constructor(
    private readonly traits: NodeSpecification,
    private readonly time: VirtualTime,
  ) {
    this.prompts = new LruMap(Math.max(1, traits.cachedPrompts));
  }

  get wedged(): boolean {
    return this.traits.wedgesAtMs !== undefined && this.time.monotonicMs() >= this.traits.wedgesAtMs;
  }

  /** @returns a function that cancels the job; idempotent, and no callback is called after it */
  start(prompt: Prompt, listener: JobListener): () => void {
    const cachedTokens = this.cachedTokens(prompt);
    const uncached = prompt.promptTokens - cachedTokens;
    const leftMs = FIRST_TOKEN_MS + (uncached / this.traits.prefillTokensPerSecond) * 1_000;
    const job: Job = { prompt, cachedTokens, listener, leftMs, phase: 'prefill' };
    this.advance();
    this.jobs.add(job);
    this.planNext();
    return () => {
      this.advance();
      if (this.jobs.delete(job)) this.planNext();
    };
  }

  private cachedTokens({ conversation, group, systemTokens, promptTokens }: Prompt): number {
    if (this.traits.cachedPrompts === 0) return 0;
    const known = Math.max(
      this.prompts.get(conversation) ?? 0,
      this.prompts.get(group) === undefined ? 0 : systemTokens,
    );
    // The last token is always computed.
    return Math.min(known, promptTokens - 1);
  }

  private remember({ conversation, group, promptTokens, outputTokens }: Prompt): void {
    this.prompts.set(group, 0);
    this.prompts.set(conversation, promptTokens + outputTokens);
  }

  /** Slow-down of each job compared with running alone. */
  private get slowdown(): number {
    return 1 + this.traits.contention * (this.jobs.size - 1);
  }

  private advance(): void {
    const nowMs = this.time.monotonicMs();
    const stopsAtMs = this.traits.wedgesAtMs ?? Infinity;
    const ranMs = Math.max(0, Math.min(nowMs, stopsAtMs) - this.advancedAtMs) / this.slowdown;
    this.advancedAtMs = nowMs;
    if (this.jobs.size > 0) for (const job of this.jobs) job.leftMs -= ranMs;
  }

  private planNext(): void {
    const plan = ++this.plan;
    if (this.jobs.size === 0 || this.wedged) return;
    const soonest = Math.min(...Array.from(this.jobs, ({ leftMs }) => leftMs));
    this.time.after(soonest * this.slowdown, () => {
      if (plan === this.plan) this.turn();
    });
  }

  private turn(): void {
    this.advance();
    if (this.wedged) return;
    for (const job of [...this.jobs]) {
      // Rounding must not leave a job with a millionth of a millisecond.
      if (job.leftMs > 1e-6) continue;
      if (job.phase === 'prefill') {
        job.phase = 'decode';
        job.leftMs = ((job.prompt.outputTokens - 1) / this.traits.decodeTokensPerSecond) * 1_000;
        job.listener.begun(job.cachedTokens);
      } else {
        this.jobs.delete(job);
        this.remember(job.prompt);
        job.listener.finished();
      }
    }
    this.planNext();
  }
}
