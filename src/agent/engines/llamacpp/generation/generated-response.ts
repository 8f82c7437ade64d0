import type { Clock } from '../../../../kernel/clock.js';
import { engineFailed } from '../failures.js';
import type { Token } from '../binding.js';
import type { GenerationUsage, OutputEvent } from '../output/output-event.js';
import { Generation, type GenerationPlace } from './generation.js';
import type { LoadedModel, PreparedResponse } from './loaded-model.js';
import type { ModelSequences } from './model-sequences.js';
import type { Lease } from './sequence-pool.js';

type ResponseSteps = AsyncGenerator<readonly OutputEvent[], void, undefined>;

/** Owns the sequence of a request and releases it exactly once, however the request ends. */
export class GeneratedResponse {
  private current: { readonly generation: Generation; readonly steps: ResponseSteps } | undefined;
  private readonly earlier: GenerationUsage[] = [];
  private healthy = true;
  /** Longer sequences that answers have moved to. The first one stays acquired, because it counts as the slot. */
  private readonly longer: Lease[] = [];
  private ended = false;

  private constructor(
    private readonly prepared: PreparedResponse,
    private readonly lease: Lease,
    private readonly sequences: ModelSequences,
    private readonly clock: Clock,
  ) {
    // A consumer aborted before or between reads may never read again.
    if (lease.signal.aborted) this.end();
    else lease.signal.addEventListener('abort', this.end, { once: true });
  }

  /** @throws EngineFailure 429 when no sequence is free, or when the model is being unloaded; the signal's reason when it has fired. */
  static async begin(
    model: LoadedModel,
    prepared: PreparedResponse,
    signal: AbortSignal,
    clock: Clock,
  ): Promise<GeneratedResponse> {
    const lease = await model.pool.acquire(prepared.prompt, prepared.maxTokens, signal);
    return new GeneratedResponse(prepared, lease, model.pool, clock);
  }

  /** The events of one choice, step by step. Choices run one after the other on the same sequence. @throws EngineFailure */
  async *choice(index: number): ResponseSteps {
    const { prepared, lease, clock } = this;
    const { signal } = lease;
    try {
      signal.throwIfAborted();
      if (this.current !== undefined) this.earlier.push(this.current.generation.usage);
      const generation = new Generation({
        ...prepared,
        place: {
          sequence: lease.sequence,
          cachedTokens: await lease.rewind(prepared.prompt),
          maxBatchTokens: lease.batchTokens,
          firstBatchTokens: lease.firstBatchTokens,
          turns: lease.turns,
        },
        longer: (state) => this.moveOn(state),
        sampling: { ...prepared.sampling, seed: prepared.sampling.seed + index },
        signal,
        clock,
      });
      this.current = { generation, steps: generation.run() };
      yield* this.current.steps;
      // Aborted while suspended, which is not the end of the response.
      signal.throwIfAborted();
    } catch (error) {
      signal.throwIfAborted();
      this.healthy = false;
      throw engineFailed(error);
    } finally {
      this.current?.generation.leave();
    }
  }

  private async moveOn(state: readonly Token[]): Promise<GenerationPlace | undefined> {
    const lease = await this.sequences.longer(state, this.lease.signal);
    if (lease === undefined) return undefined;
    this.longer.push(lease);
    const { sequence, batchTokens: maxBatchTokens, firstBatchTokens, turns } = lease;
    return { sequence, cachedTokens: await lease.rewind(state), maxBatchTokens, firstBatchTokens, turns };
  }

  /** Usage so far of each choice that has begun. */
  get usages(): readonly GenerationUsage[] {
    return this.current === undefined ? this.earlier : [...this.earlier, this.current.generation.usage];
  }

  /** Call when the request has ended. Idempotent; the sequence is free once llama.cpp has released it. */
  readonly end = (): void => {
    if (this.ended) return;
    this.ended = true;
    this.lease.signal.removeEventListener('abort', this.end);
    void this.windDown();
  };

  private async windDown(): Promise<void> {
    await this.current?.steps.return().catch(() => undefined);
    await this.current?.generation.settled();
    for (const lease of [...this.longer.splice(0), this.lease]) lease.release(this.healthy);
  }
}
