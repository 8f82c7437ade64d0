/** Finds the nodes with enough memory for a model. */
import type { Schemas } from '../../../core/api/management-api.types.js';
import { formatBytes } from '../../../core/output/quantities.js';

type Node = Schemas['Node'];

/** A model needs more memory than its file, for context and buffers. */
const MEMORY_SHARE = 1.2;

/** Nodes come first where it fits into the memory of graphics processors, then where it fits at all, then by free memory, descending. */
export function byFreeMemory<Item extends { readonly node: Node }>(
  items: readonly Item[],
  sizeBytes: number | null,
): readonly Item[] {
  return [...items].sort(
    (a, b) =>
      rank(b.node, sizeBytes) - rank(a.node, sizeBytes) || freeBytes(memoryOf(b.node)) - freeBytes(memoryOf(a.node)),
  );
}

/** null: the node or the size is unknown. */
export function fits(node: Node, sizeBytes: number | null): boolean | null {
  const free = freeBytes(memoryOf(node));
  return free < 0 || sizeBytes === null ? null : free >= sizeBytes * MEMORY_SHARE;
}

/** `41 GB free`, `24 GB VRAM and 41 GB RAM free`; empty when it is not known. */
export function freeMemoryText(node: Node): readonly string[] {
  const { vram, ram } = memoryOf(node);
  if (vram === null) return ram === null ? [] : [`${formatBytes(ram)} free`];
  const own = `${formatBytes(vram)} VRAM`;
  return [ram === null ? `${own} free` : `${own} and ${formatBytes(ram)} RAM free`];
}

function rank(node: Node, sizeBytes: number | null): number {
  if (fits(node, sizeBytes) !== true) return 0;
  const { vram } = memoryOf(node);
  return vram !== null && vram >= (sizeBytes ?? 0) * MEMORY_SHARE ? 2 : 1;
}

interface FreeMemory {
  /** Counts graphics processors with memory of their own; null: none, or their drivers do not report it. */
  readonly vram: number | null;
  readonly ram: number | null;
  /** The built-in engine splits a model: the processor computes the layers that the graphics processors have no memory for. */
  readonly canSplit: boolean;
}

function memoryOf({ memory, gpus }: Node): FreeMemory {
  const own = gpus.filter(({ unified }) => !unified);
  const known = own.flatMap(({ free_bytes }) => (free_bytes === null ? [] : [free_bytes]));
  return {
    vram: known.length === 0 ? null : known.reduce((sum, free) => sum + free, 0),
    ram: memory?.free_bytes ?? null,
    canSplit: own.some(({ backend }) => backend !== null),
  };
}

/** Free memory for a model; -1: unknown. */
function freeBytes({ vram, ram, canSplit }: FreeMemory): number {
  return canSplit ? (vram ?? 0) + (ram ?? 0) : Math.max(vram ?? -1, ram ?? -1);
}
