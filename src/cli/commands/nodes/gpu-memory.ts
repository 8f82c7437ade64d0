import type { Schemas } from '../../core/api/management-api.types.js';

export interface Vram {
  readonly usedBytes: number;
  readonly totalBytes: number;
}

/**
 * Memory of all graphics processors together. What is that of the computer is counted there. null: there is none, or a driver does not say
 * how much is free.
 */
export function vramOf(node: Schemas['Node']): Vram | null {
  const own = node.gpus.filter(({ unified }) => !unified);
  if (own.length === 0) return null;
  let usedBytes = 0;
  let totalBytes = 0;
  for (const { total_bytes: total, free_bytes: free } of own) {
    if (free === null) return null;
    usedBytes += Math.max(0, total - free);
    totalBytes += total;
  }
  return { usedBytes, totalBytes };
}
