/**
 * Checks that a model fits into memory before it is loaded, because a swapping computer cannot serve requests. Main memory and memory of
 * graphics processors are counted apart; where they are the same, together.
 */
import { freemem, totalmem } from 'node:os';
import { OperationFailure } from '../engine-management.js';
import type { Binding, GgufInsights, KvCacheType, Llama } from './binding.js';
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

/** Bytes of main memory, and of memory of graphics processors. */
export interface MemoryBytes {
  readonly ram: number;
  readonly vram: number;
}

export interface FreeMemory extends MemoryBytes {
  /** `vram` is part of `ram`. */
  readonly unified: boolean;
}

interface ContextSize {
  /** Per sequence. */
  readonly contextTokens: number;
  readonly sequences: number;
  /** Evaluated in one batch, over all sequences. */
  readonly batchTokens: number;
}

/** How the contexts of a model are made. */
export interface ContextKind {
  readonly flashAttention: boolean;
  readonly kvCacheType: KvCacheType;
}

/** Memory need of a model by node-llama-cpp's estimate for its architecture; for an unknown one, the size of the file. */
export class ModelMemory {
  private constructor(
    /** Including the output. 0: nothing is known of them. */
    readonly layers: number,
    private readonly sizeBytes: number,
    private readonly insights: GgufInsights | undefined,
    private readonly kind: ContextKind,
    private readonly cacheType: number,
  ) {}

  static async of(
    binding: Binding,
    llama: Llama,
    {
      modelPath,
      sizeBytes,
      kind,
    }: { readonly modelPath: string; readonly sizeBytes: number; readonly kind: ContextKind },
  ): Promise<ModelMemory> {
    const { llamaCpp } = binding;
    const cacheType = llamaCpp.GgmlType[kind.kvCacheType];
    try {
      const info = await llamaCpp.readGgufFileInfo(modelPath, {
        readTensorInfo: true,
        sourceType: 'filesystem',
        spliceSplitFiles: true,
        logWarnings: false,
        ignoreKeys,
      });
      const insights = await llamaCpp.GgufInsights.from(info, llama);
      await insights.estimateModelResourceRequirementsV2({ gpuLayers: 0 });
      return new ModelMemory(insights.totalLayers, sizeBytes, insights, kind, cacheType);
    } catch {
      return new ModelMemory(0, sizeBytes, undefined, kind, cacheType);
    }
  }

  async weights(gpuLayers: number): Promise<MemoryBytes> {
    try {
      const estimate = await this.insights?.estimateModelResourceRequirementsV2({ gpuLayers });
      if (estimate !== undefined) return { ram: estimate.cpuRam, vram: estimate.gpuVram };
    } catch {
      // The size of the file decides, as for an unknown architecture.
    }
    return { ram: this.sizeBytes, vram: 0 };
  }

  /** KV cache and compute buffers. Undefined when unknown. */
  async context(
    { contextTokens, sequences, batchTokens }: ContextSize,
    gpuLayers: number,
  ): Promise<MemoryBytes | undefined> {
    try {
      const estimate = await this.insights?.estimateContextResourceRequirementsV2({
        contextSize: contextTokens,
        sequences,
        batchSize: batchTokens,
        modelGpuLayers: gpuLayers,
        flashAttention: this.kind.flashAttention,
        kvCacheKeyType: this.cacheType,
        kvCacheValueType: this.cacheType,
      });
      return estimate === undefined ? undefined : { ram: estimate.cpuRam, vram: estimate.gpuVram };
    } catch {
      return undefined;
    }
  }

  /** Weights and contexts. */
  async total(size: ContextSize, gpuLayers: number): Promise<MemoryBytes> {
    return sum(await this.weights(gpuLayers), (await this.context(size, gpuLayers)) ?? { ram: 0, vram: 0 });
  }

  /** @throws OperationFailure `out_of_memory` with the figures */
  async check(size: ContextSize, gpuLayers: number, free: FreeMemory): Promise<void> {
    const weights = await this.weights(gpuLayers);
    const context = (await this.context(size, gpuLayers)) ?? { ram: 0, vram: 0 };
    const need = sum(weights, context);
    if (fits(need, free)) return;
    const { sequences: slots, contextTokens } = size;
    const isOnDevice = need.vram > 0 && !free.unified;
    const sizes = (of: keyof MemoryBytes): string =>
      `${sizeText(of === 'ram' && free.unified ? weights.ram + weights.vram : weights[of])} for the weights and ` +
      `${sizeText(of === 'ram' && free.unified ? context.ram + context.vram : context[of])} for ${contextTokens} tokens of context ` +
      `in ${slots} ${slots === 1 ? 'slot' : 'slots'}, and ${sizeText(Math.ceil(reserveFor(need[of])))} of reserve; ` +
      `${sizeText(Math.max(0, free[of]))} are free`;
    const device = isOnDevice
      ? `on the graphics processor, with ${gpuLayers} of ${this.layers} layers there, about ${sizes('vram')}; in main memory about `
      : 'about ';
    throw new OperationFailure(
      'out_of_memory',
      `it needs ${device}${sizes('ram')}. Unload another model, or load it with less context.`,
    );
  }
}

export const sum = (one: MemoryBytes, other: MemoryBytes): MemoryBytes => ({
  ram: one.ram + other.ram,
  vram: one.vram + other.vram,
});

const reserveFor = (bytes: number): number => Math.min(bytes * RESERVE_SHARE, MAX_RESERVE_BYTES);

/** Including the reserve. */
export function fits({ ram, vram }: MemoryBytes, free: FreeMemory): boolean {
  const host = free.unified ? ram + vram : ram;
  return host + reserveFor(host) <= free.ram && (vram === 0 || vram + reserveFor(vram) <= free.vram);
}
