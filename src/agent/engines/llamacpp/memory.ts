/** Checks that a model fits into memory before it is loaded, because a swapping computer cannot serve requests. */
import { freemem, totalmem } from 'node:os';
import { OperationFailure } from '../engine-management.js';
import type { Binding, GgufInsights, Llama } from './binding.js';
import { ignoreKeys } from './catalogue/gguf-facts.js';
import { sizeText } from './size-text.js';

/** macOS reports only untouched pages as free, but also releases its file cache: this share of the memory is available. */
const MACOS_USABLE_SHARE = 0.75;
/** Reserve for the rest of the computer, as a share, because the error of an estimate grows with the model. */
const RESERVE_SHARE = 0.1;
const MAX_RESERVE_BYTES = 1_024 * 1_024 * 1_024;

/** Bytes available to this process, within the limits of its container. */
export function freeMemoryBytes(): number {
  const { rss } = process.memoryUsage();
  const free = process.platform === 'darwin' ? Math.max(freemem(), totalmem() * MACOS_USABLE_SHARE - rss) : freemem();
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? Math.min(free, limit - rss) : free;
}

interface ContextSize {
  /** Per sequence. */
  readonly contextTokens: number;
  readonly sequences: number;
  /** Evaluated in one batch, over all sequences. */
  readonly batchTokens: number;
}

/** Memory need of a model by node-llama-cpp's estimate for its architecture; for an unknown one, the size of the file. */
export class ModelMemory {
  private constructor(
    readonly weightBytes: number,
    private readonly insights: GgufInsights | undefined,
  ) {}

  static async of(
    binding: Binding,
    llama: Llama,
    { modelPath, sizeBytes }: { readonly modelPath: string; readonly sizeBytes: number },
  ): Promise<ModelMemory> {
    try {
      const info = await binding.llamaCpp.readGgufFileInfo(modelPath, {
        readTensorInfo: true,
        sourceType: 'filesystem',
        spliceSplitFiles: true,
        logWarnings: false,
        ignoreKeys,
      });
      const insights = await binding.llamaCpp.GgufInsights.from(info, llama);
      const weights = await insights.estimateModelResourceRequirementsV2({ gpuLayers: 0 });
      return new ModelMemory(weights.cpuRam, insights);
    } catch {
      return new ModelMemory(sizeBytes, undefined);
    }
  }

  /** KV cache and compute buffers. Undefined when unknown. */
  async contextBytes({ contextTokens, sequences, batchTokens }: ContextSize): Promise<number | undefined> {
    try {
      const estimate = await this.insights?.estimateContextResourceRequirementsV2({
        contextSize: contextTokens,
        sequences,
        batchSize: batchTokens,
        modelGpuLayers: 0,
        flashAttention: false,
      });
      return estimate?.cpuRam;
    } catch {
      return undefined;
    }
  }
}

/** @throws OperationFailure `out_of_memory` with the figures */
export async function checkMemory(memory: ModelMemory, size: ContextSize, freeBytes: number): Promise<void> {
  const { weightBytes: weights } = memory;
  const context = (await memory.contextBytes(size)) ?? 0;
  const { sequences: slots, contextTokens } = size;
  if (fits(weights + context, freeBytes)) return;
  throw new OperationFailure(
    'out_of_memory',
    `it needs about ${sizeText(weights)} for the weights and ${sizeText(context)} for ${contextTokens} tokens of context ` +
      `in ${slots} ${slots === 1 ? 'slot' : 'slots'}, and ${sizeText(Math.ceil(reserveFor(weights + context)))} of reserve; ` +
      `${sizeText(freeBytes)} are free. Unload another model, or load it with less context.`,
  );
}

const reserveFor = (bytes: number): number => Math.min(bytes * RESERVE_SHARE, MAX_RESERVE_BYTES);

/** Including the reserve. */
export const fits = (bytes: number, freeBytes: number): boolean => bytes + reserveFor(bytes) <= freeBytes;
