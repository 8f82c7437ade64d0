/** A loaded embedding model: its weights, and one context that computes one text after the other. Pooling is that of the file. */
import type { LlamaEmbeddingContext, LlamaModel, Llama, Token } from '../binding.js';
import { contextTooShort } from '../failures.js';
import { abortable } from '../generation/abortable.js';
import { sum, type MemoryBytes } from '../memory.js';
import type { LoadOptions } from '../generation/loaded-model.js';
import { EmbeddingTurns } from './embedding-turns.js';

/** An encoder computes a text in one batch, so that the batch is as long as the context, and its buffers with it. */
const USUAL_CONTEXT_TOKENS = 2_048;

export interface Embedded {
  readonly vector: readonly number[];
  readonly tokens: number;
}

type EmbeddingLoadOptions = Pick<
  LoadOptions,
  'modelPath' | 'contextTokens' | 'gpuLayers' | 'memory' | 'signal' | 'onProgress'
>;

export class EmbeddingModel {
  /** Requests that compute now. */
  readonly pool = new EmbeddingTurns();
  readonly preparedMs = 0;

  private constructor(
    private readonly model: LlamaModel,
    private readonly context: LlamaEmbeddingContext,
    /** Of one text. */
    readonly contextTokens: number,
    readonly layers: { readonly onGpu: number; readonly total: number },
  ) {}

  /** @throws when the file is not a model, memory is short, or the signal fires */
  static async load(llama: Llama, options: EmbeddingLoadOptions): Promise<EmbeddingModel> {
    const { modelPath, gpuLayers, signal, onProgress, contextTokens = USUAL_CONTEXT_TOKENS, memory } = options;
    const model = await llama.loadModel({ modelPath, gpuLayers, loadSignal: signal, onLoadProgress: onProgress });
    try {
      const tokens = Math.min(contextTokens, model.trainContextSize);
      const context = await model.createEmbeddingContext({
        contextSize: tokens,
        batchSize: tokens,
        threads: 0,
        createSignal: signal,
      });
      return new EmbeddingModel(model, context, tokens, { onGpu: gpuLayers, total: memory.layers });
    } catch (error) {
      await model.dispose();
      throw error;
    }
  }

  get memory(): MemoryBytes {
    return sum(this.model.memoryUsage, { ram: 0, vram: 0 });
  }

  /** @throws EngineFailure 400 for a text longer than the context; the signal's reason */
  async embed(input: string | readonly Token[], signal: AbortSignal): Promise<Embedded> {
    signal.throwIfAborted();
    const tokens = this.context.calculateInputLength(typeof input === 'string' ? input : [...input]);
    if (tokens >= this.contextTokens) throw contextTooShort(tokens, this.contextTokens, 'input');
    // The context computes one text at a time; one that has begun is computed to its end.
    const { vector } = await abortable(
      this.context.getEmbeddingFor(typeof input === 'string' ? input : [...input]),
      signal,
    );
    return { vector: ofUnitLength(vector), tokens };
  }

  /** Frees the memory once the running requests have ended. */
  async retire(): Promise<void> {
    this.pool.close();
    await this.pool.drained();
    await this.context.dispose();
    await this.model.dispose();
  }
}

/** As llama-server and Ollama return them, so that the scalar product of two is their similarity. */
function ofUnitLength(vector: readonly number[]): readonly number[] {
  const length = Math.sqrt(vector.reduce((squares, number) => squares + number * number, 0));
  return length === 0 ? vector : vector.map((number) => Math.fround(number / length));
}
