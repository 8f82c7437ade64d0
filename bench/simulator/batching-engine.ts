/**
 * An engine with continuous batching, as vLLM and SGLang work and llama-server with several slots: in each step every running request gets one
 * token, and the oldest one that is not prefilled gets a chunk of its prompt, for which all others wait. It knows nothing of the cost model
 * of the relay, which assumes neither steps nor chunks nor a limited KV cache.
 */
import type { Rng } from '../../src/kernel/clock.js';
import { PromptCache, type Engine, type JobListener, type Prompt } from './engine.js';
import { logNormal } from './random.js';
import type { NodeSpecification } from './workload.js';
import type { VirtualTime } from './virtual-time.js';

interface Job {
  readonly prompt: Prompt;
  readonly listener: JobListener;
  /** Tokens of the prompt that are still to be computed, also those that were made before the job lost its place. */
  prefillLeft: number;
  produced: number;
  cachedTokens: number;
  begun: boolean;
}

/** Template, tokenizer and sampler before the first token; varies from request to request. */
const FIRST_TOKEN_MS = { median: 15, sigma: 0.6 };

/** Steps of one kind, between two changes of the batch. */
interface Run {
  readonly startedAtMs: number;
  readonly stepMs: number;
  /** One chunk of the prompt in each step. */
  readonly prefilling: Job | null;
}

export class BatchingEngine implements Engine {
  private readonly waiting: Job[] = [];
  private readonly batch: Job[] = [];
  private readonly prompts: PromptCache;
  private run: Run | null = null;
  /** Invalidates wake-ups that were scheduled before the last change. */
  private plan = 0;

  constructor(
    private readonly traits: NodeSpecification,
    private readonly time: VirtualTime,
    private readonly random: Rng,
  ) {
    this.prompts = new PromptCache(traits.cachedPrompts);
  }

  get wedged(): boolean {
    return this.traits.wedgesAtMs !== undefined && this.time.monotonicMs() >= this.traits.wedgesAtMs;
  }

  get load(): Engine['load'] {
    return { running: this.batch.length, waiting: this.waiting.length };
  }

  start(prompt: Prompt, listener: JobListener): () => void {
    const prefillLeft = prompt.promptTokens;
    const job: Job = { prompt, listener, prefillLeft, produced: 0, cachedTokens: 0, begun: false };
    const ready = logNormal(this.random, FIRST_TOKEN_MS.median, FIRST_TOKEN_MS.sigma);
    let cancelled = false;
    this.time.after(ready, () => {
      if (cancelled) return;
      this.waiting.push(job);
      this.changeAtNextStep();
    });
    return () => {
      cancelled = true;
      remove(this.waiting, job);
      if (remove(this.batch, job)) this.changeAtNextStep();
    };
  }

  /** A change takes effect when the step that is being computed is over. */
  private changeAtNextStep(): void {
    const { run } = this;
    const elapsed = run === null ? 0 : this.time.monotonicMs() - run.startedAtMs;
    const steps = run === null ? 0 : Math.ceil(elapsed / run.stepMs - 1e-9);
    this.wakeAfterSteps(steps);
  }

  /** @param steps counted from the start of the run */
  private wakeAfterSteps(steps: number): void {
    const plan = ++this.plan;
    if (this.wedged) return;
    const { run } = this;
    const delayMs = run === null ? 0 : run.startedAtMs + steps * run.stepMs - this.time.monotonicMs();
    this.time.after(delayMs, () => {
      if (plan !== this.plan || this.wedged) return;
      if (run !== null) this.compute(run, steps);
      this.begin();
    });
  }

  private compute({ prefilling }: Run, steps: number): void {
    for (const job of [...this.batch]) {
      if (job === prefilling) job.prefillLeft -= steps * this.traits.chunkTokens;
      else if (job.prefillLeft <= 0) job.produced += steps;
      if (job.prefillLeft > 0) continue;
      if (!job.begun) {
        // The last chunk of a prompt gives the first token.
        job.produced = Math.max(1, job.produced);
        job.begun = true;
        job.listener.begun(job.cachedTokens);
      }
      if (job.produced < job.prompt.outputTokens) continue;
      remove(this.batch, job);
      this.prompts.remember(job.prompt);
      job.listener.finished();
    }
  }

  /** Fills the batch and computes until it changes. */
  private begin(): void {
    this.makeRoom();
    this.admit();
    this.run = null;
    if (this.batch.length === 0) return;
    const prefilling = this.batch.find(({ prefillLeft }) => prefillLeft > 0) ?? null;
    const decoding = this.batch.filter(({ prefillLeft }) => prefillLeft <= 0);
    const { chunkTokens, prefillTokensPerSecond } = this.traits;
    const chunkMs = prefilling === null ? 0 : Math.min(chunkTokens, prefilling.prefillLeft) / prefillTokensPerSecond;
    const stepMs = chunkMs * 1_000 + this.decodeMs(decoding.length);
    const untilPrefilled = prefilling === null ? Infinity : Math.ceil(prefilling.prefillLeft / chunkTokens);
    const untilDone = decoding.map(({ prompt, produced }) => Math.max(1, prompt.outputTokens - produced));
    const room = this.traits.kvTokens - this.usedTokens;
    const untilFull = this.batch.length === 1 ? Infinity : Math.floor(room / Math.max(1, decoding.length)) + 1;
    this.run = { startedAtMs: this.time.monotonicMs(), stepMs, prefilling };
    this.wakeAfterSteps(Math.min(untilPrefilled, untilFull, ...untilDone));
  }

  private decodeMs(requests: number): number {
    if (requests === 0) return 0;
    return (1_000 / this.traits.decodeTokensPerSecond) * (1 + this.traits.contention * (requests - 1));
  }

  private get usedTokens(): number {
    return this.batch.reduce((sum, { prompt, produced }) => sum + prompt.promptTokens + produced, 0);
  }

  private admit(): void {
    let used = this.usedTokens;
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      const tokens = next.prompt.promptTokens + next.produced;
      const fits = this.batch.length === 0 || used + tokens <= this.traits.kvTokens;
      if (this.batch.length >= this.traits.slots || !fits) return;
      this.waiting.shift();
      const cached = this.prompts.cachedTokens(next.prompt);
      if (!next.begun) next.cachedTokens = cached;
      next.prefillLeft = tokens - cached;
      this.batch.push(next);
      used += tokens;
    }
  }

  /** The youngest requests lose their place, and what they have computed, when the KV cache is full. */
  private makeRoom(): void {
    while (this.batch.length > 1 && this.usedTokens > this.traits.kvTokens) {
      const youngest = this.batch.pop();
      if (youngest !== undefined) this.waiting.unshift(youngest);
    }
  }
}

function remove(jobs: Job[], job: Job): boolean {
  const index = jobs.indexOf(job);
  if (index >= 0) jobs.splice(index, 1);
  return index >= 0;
}
