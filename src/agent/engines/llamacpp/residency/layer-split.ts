/** How many layers of a model go onto the graphics processor. */
import { fits, type FreeMemory, type ModelMemory } from '../memory.js';

type Size = Parameters<ModelMemory['total']>[0];

interface SplitOptions {
  readonly memory: ModelMemory;
  readonly free: FreeMemory;
  readonly least: Size;
  /** Undefined: as many as fit. */
  readonly configured: number | undefined;
}

/**
 * All of them where they fit with at least the least context: a layer on the processor costs more than a shorter context. Otherwise as many as
 * fit. Free memory is that of all devices together; llama.cpp splits the layers over them by what is free on each.
 */
export async function layersOnGpu({ memory, free, least, configured }: SplitOptions): Promise<number> {
  const { layers } = memory;
  if (configured !== undefined) return Math.min(configured, layers);
  const holds = async (count: number): Promise<boolean> => {
    const { ram, vram } = await memory.total(least, count);
    // The processor's part is checked afterwards, with its own figures.
    return fits({ ram: free.unified ? ram : 0, vram }, free);
  };
  if (await holds(layers)) return layers;
  let low = 0;
  let high = layers;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Tokens per slot of the context that all slots share: halved until it takes at most half of what the weights leave, so that longer prompts
 * find room for contexts of their own.
 */
export async function sharedContextTokens(
  memory: ModelMemory,
  free: FreeMemory,
  gpuLayers: number,
  { usual, least }: { readonly usual: Size; readonly least: Size },
): Promise<number> {
  const left = free.vram - (await memory.weights(gpuLayers)).vram;
  let { contextTokens } = usual;
  while (contextTokens / 2 >= least.contextTokens) {
    const need = await memory.context({ ...usual, contextTokens }, gpuLayers);
    if (need === undefined || need.vram <= left / 2) break;
    contextTokens /= 2;
  }
  return contextTokens;
}
