import { PromptCache, type Engine, type JobListener, type Prompt } from './engine.js';
import type { NodeSpecification } from './workload.js';
import type { VirtualTime } from './virtual-time.js';

interface Job {
  readonly prompt: Prompt;
  cachedTokens: number;
  readonly listener: JobListener;
  /** Remaining milliseconds of the phase, if the job ran alone. */
  leftMs: number;
  phase: 'prefill' | 'decode';
}

/** Cost of the chat template and the sampler before the first token, independent of the prompt. */
const FIRST_TOKEN_MS = 15;

/** Its requests share its speed; more than its slots wait in order. */
export class SharingEngine implements Engine {
  private readonly jobs = new Set<Job>();
  private readonly waiting = new Set<Job>();
  private readonly prompts: PromptCache;
  private advancedAtMs = 0;
  /** Invalidates wake-ups that were scheduled before the last change. */
  private plan = 0;

  constructor(
    private readonly traits: NodeSpecification,
    private readonly time: VirtualTime,
  ) {
    this.prompts = new PromptCache(traits.cachedPrompts);
  }

  get wedged(): boolean {
    return this.traits.wedgesAtMs !== undefined && this.time.monotonicMs() >= this.traits.wedgesAtMs;
  }

  get load(): Engine['load'] {
    return { running: this.jobs.size, waiting: this.waiting.size };
  }

  start(prompt: Prompt, listener: JobListener): () => void {
    const job: Job = { prompt, cachedTokens: 0, listener, leftMs: 0, phase: 'prefill' };
    this.advance();
    this.waiting.add(job);
    this.fill();
    this.planNext();
    return () => {
      this.advance();
      this.waiting.delete(job);
      if (!this.jobs.delete(job)) return;
      this.fill();
      this.planNext();
    };
  }

  private fill(): void {
    for (const job of this.waiting) {
      if (this.jobs.size >= this.traits.slots) return;
      this.waiting.delete(job);
      job.cachedTokens = this.prompts.cachedTokens(job.prompt);
      const uncached = job.prompt.promptTokens - job.cachedTokens;
      job.leftMs = FIRST_TOKEN_MS + (uncached / this.traits.prefillTokensPerSecond) * 1_000;
      this.jobs.add(job);
    }
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
        this.prompts.remember(job.prompt);
        job.listener.finished();
      }
    }
    this.fill();
    this.planNext();
  }
}
