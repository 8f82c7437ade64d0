/** Which node has the memory for a model. */
import type { Schemas } from '../../../core/api/management-api.types.js';
import { formatBytes } from '../../../core/output/quantities.js';

type Node = Schemas['Node'];

/** A model needs more memory than its file, for context and buffers. */
const MEMORY_SHARE = 1.2;

/** Nodes where it fits come first, then by free memory, descending; unknown memory comes last. */
export function byFreeMemory<Item extends { readonly node: Node }>(
  items: readonly Item[],
  sizeBytes: number | null,
): readonly Item[] {
  return [...items].sort(
    (a, b) =>
      Number(fits(b.node, sizeBytes) ?? false) - Number(fits(a.node, sizeBytes) ?? false) ||
      freeBytes(b.node) - freeBytes(a.node),
  );
}

/** null: the node or the size is unknown. */
export function fits(node: Node, sizeBytes: number | null): boolean | null {
  const free = freeBytes(node);
  return free < 0 || sizeBytes === null ? null : free >= sizeBytes * MEMORY_SHARE;
}

/** `41 GB free`; empty when it is not known. */
export function freeMemoryText(node: Node): readonly string[] {
  const free = freeBytes(node);
  return free < 0 ? [] : [`${formatBytes(free)} free`];
}

/** Free memory for models; -1: unknown. */
function freeBytes({ memory, gpus }: Node): number {
  const known = gpus.flatMap(({ unified, free_bytes }) => (unified || free_bytes === null ? [] : [free_bytes]));
  const own = known.length === 0 ? -1 : known.reduce((sum, free) => sum + free, 0);
  return Math.max(own, memory?.free_bytes ?? -1);
}
