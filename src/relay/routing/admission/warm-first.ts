import type { ModelSelector } from '../../../kernel/ids.js';
import type { ModelHost, Waiting } from './waiting.js';

/** When a place becomes free for a key, a request with a cached prompt may go first among this many of its oldest. */
const LOOKED_AT = 8;
/** A request that so many younger ones have overtaken is overtaken by no more. */
const MOST_OVERTAKING = 8;

/** A request in the queue of its key. */
export interface OvertakenEntry {
  readonly waiting: Waiting;
  readonly selector: ModelSelector;
  /** Younger ones that went first. */
  overtaken: number;
}

/**
 * Moves the request that saves the node most prefill to `next`. While requests wait, each one gets the place that happens to become free, so
 * that a conversation hardly ever returned to its node: under overload most of the work was prompts that another node had in memory.
 * @param entries of one key, oldest first
 */
export function bringCachedForward(entries: OvertakenEntry[], next: number, node: ModelHost): void {
  const end = Math.min(entries.length, next + LOOKED_AT);
  let mostCached = next;
  let mostTokens = 0;
  for (let index = next; index < end; index += 1) {
    const entry = entries[index];
    if (entry === undefined) break;
    const tokens = entry.waiting.cachedPromptTokensOn?.(node, entry.selector) ?? 0;
    if (tokens > mostTokens) {
      mostTokens = tokens;
      mostCached = index;
    }
    if (entry.overtaken >= MOST_OVERTAKING) break;
  }
  const [chosen] = mostCached === next ? [] : entries.splice(mostCached, 1);
  if (chosen === undefined) return;
  entries.splice(next, 0, chosen);
  for (const entry of entries.slice(next + 1, mostCached + 1)) entry.overtaken += 1;
}
