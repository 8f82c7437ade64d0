/** Whether a model fits into the memory of a computer, as far as that is known. */

export interface ComputerMemory {
  /** Of the computer; undefined or null: not reported. */
  readonly memory?: { readonly total_bytes: number; readonly free_bytes?: number | null } | null | undefined;
  readonly gpus?: readonly ComputerGpu[] | null | undefined;
}

interface ComputerGpu {
  readonly total_bytes: number;
  readonly free_bytes?: number | null;
  /** Its memory is that of the computer. */
  readonly unified?: boolean;
  /** How the built-in engine computes on it; null: it does not. */
  readonly backend?: string | null;
}

/**
 * `fits_in_part`: the graphics processor has memory for some of its layers, and the processor computes the others, slowly. `fits_when_free`:
 * there is enough memory, but other models or programs use it now.
 */
export type Fit = 'fits' | 'fits_in_part' | 'fits_when_free' | 'does_not_fit' | 'unknown';

/** The most likely to succeed first. */
export const fitOrder: readonly Fit[] = ['fits', 'fits_in_part', 'unknown', 'fits_when_free', 'does_not_fit'];

/** Weights as they lie in memory, their buffers, and a short context. */
const OVERHEAD = 1.1;
const CONTEXT_BYTES = 500_000_000;
/** Of the main memory, for the system and other programs. */
const KEPT_FREE_BYTES = 2_000_000_000;

/** @param sizeBytes of the model's file @param contextBytes of the context it is loaded with, where known */
export const neededBytes = (sizeBytes: number, contextBytes = CONTEXT_BYTES): number =>
  sizeBytes * OVERHEAD + contextBytes;

/**
 * Engines spread a model over all GPUs, else run it in main memory. Only the built-in engine is known to use both for one model. Memory that
 * computer and GPU share is counted once.
 */
export function fit(sizeBytes: number | null | undefined, computer: ComputerMemory, contextBytes?: number): Fit {
  const pools = memoryPools(computer);
  if (sizeBytes === null || sizeBytes === undefined || pools.length === 0) return 'unknown';
  const needed = neededBytes(sizeBytes, contextBytes);
  if (pools.some(({ free }) => free !== undefined && free >= needed)) return 'fits';
  if (splits(computer) && pools.reduce((sum, { free = 0 }) => sum + free, 0) >= needed) return 'fits_in_part';
  const roomy = pools.filter(({ total }) => total >= needed);
  if (roomy.length === 0) return 'does_not_fit';
  return roomy.some(({ free }) => free === undefined) ? 'fits' : 'fits_when_free';
}

/** The largest memory that could take a model, in all and free now; null: none is known. */
export function room(computer: ComputerMemory): { readonly total: number; readonly free: number | undefined } | null {
  const pools = memoryPools(computer);
  if (pools.length === 0) return null;
  return pools.reduce((largest, pool) => (pool.total > largest.total ? pool : largest));
}

const ownGpus = ({ gpus }: ComputerMemory): readonly ComputerGpu[] =>
  (gpus ?? []).filter(({ unified }) => unified !== true);

const splits = (computer: ComputerMemory): boolean => ownGpus(computer).some(({ backend }) => backend != null);

interface Pool {
  readonly total: number;
  /** undefined: not known. */
  readonly free: number | undefined;
}

function memoryPools(computer: ComputerMemory): readonly Pool[] {
  const { memory } = computer;
  const gpus = ownGpus(computer);
  const pools: Pool[] = [];
  if (memory) {
    pools.push({ total: Math.max(0, memory.total_bytes - KEPT_FREE_BYTES), free: memory.free_bytes ?? undefined });
  }
  if (gpus.length > 0) {
    const known = gpus.every(({ free_bytes }) => free_bytes !== null && free_bytes !== undefined);
    pools.push({
      total: gpus.reduce((sum, { total_bytes }) => sum + total_bytes, 0),
      free: known ? gpus.reduce((sum, { free_bytes }) => sum + (free_bytes ?? 0), 0) : undefined,
    });
  }
  return pools;
}
