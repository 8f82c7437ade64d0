/** Whether a model will fit into memory: told before it is loaded, because a computer that swaps serves nobody. */
import { freemem, totalmem } from 'node:os';
import { OperationFailure } from '../../engine-management.js';
import type { Binding, Llama } from '../binding.js';
import { ignoreKeys } from '../catalogue/gguf-facts.js';
import { sizeText } from '../size-text.js';

/** macOS calls only untouched pages free and gives back what it keeps for files: this much of the memory can be had. */
const MACOS_USABLE_SHARE = 0.75;
/** What the rest of the computer keeps: an estimate is off by a share of itself, so a small model needs next to none. */
const RESERVE_SHARE = 0.1;
const MAX_RESERVE_BYTES = 1_024 * 1_024 * 1_024;

/** Bytes that this process can still take, within the limits of its container. */
export function freeMemoryBytes(): number {
  const { rss } = process.memoryUsage();
  const free = process.platform === 'darwin' ? Math.max(freemem(), totalmem() * MACOS_USABLE_SHARE - rss) : freemem();
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? Math.min(free, limit - rss) : free;
}

export interface MemoryWanted {
  readonly modelPath: string;
  readonly sizeBytes: number;
  readonly slots: number;
  readonly contextTokens: number;
}

/** @throws OperationFailure `out_of_memory` with the figures */
export async function checkMemory(
  binding: Binding,
  llama: Llama,
  wanted: MemoryWanted & { readonly freeBytes: number },
): Promise<void> {
  const { weights, context } = await memoryNeeded(binding, llama, wanted);
  const { freeBytes, slots, contextTokens } = wanted;
  const reserve = Math.min((weights + context) * RESERVE_SHARE, MAX_RESERVE_BYTES);
  if (weights + context + reserve <= freeBytes) return;
  throw new OperationFailure(
    'out_of_memory',
    `it needs about ${sizeText(weights)} for the weights and ${sizeText(context)} for ${contextTokens} tokens of context ` +
      `in ${slots} ${slots === 1 ? 'slot' : 'slots'}, and ${sizeText(Math.ceil(reserve))} of reserve; ${sizeText(freeBytes)} are free. ` +
      'Unload another model, or load it with less context.',
  );
}

/** By node-llama-cpp's knowledge of architectures; where it has none the size of the file stands for all. */
async function memoryNeeded(
  binding: Binding,
  llama: Llama,
  { modelPath, sizeBytes, slots, contextTokens }: MemoryWanted,
): Promise<{ readonly weights: number; readonly context: number }> {
  try {
    const info = await binding.llamaCpp.readGgufFileInfo(modelPath, {
      readTensorInfo: true,
      sourceType: 'filesystem',
      spliceSplitFiles: true,
      logWarnings: false,
      ignoreKeys,
    });
    const insights = await binding.llamaCpp.GgufInsights.from(info, llama);
    const [weights, context] = await Promise.all([
      insights.estimateModelResourceRequirementsV2({ gpuLayers: 0 }),
      insights.estimateContextResourceRequirementsV2({
        contextSize: contextTokens,
        sequences: slots,
        modelGpuLayers: 0,
        flashAttention: false,
      }),
    ]);
    return { weights: weights.cpuRam, context: context.cpuRam };
  } catch {
    return { weights: sizeBytes, context: 0 };
  }
}
