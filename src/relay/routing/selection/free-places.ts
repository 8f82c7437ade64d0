import type { ModelSelector } from '../../../kernel/ids.js';
import type { ModelLookup } from '../../inventory/model-entry.js';
import type { OnlineNode } from '../../nodes/registry/online-node.js';
import type { Places } from '../admission/fair-queue.js';
import { anyModel } from '../admission/waiting.js';
import type { PlacementFinder } from './placement-finder.js';

/**
 * What a node has free after its STATUS, for the requests that wait: its engines have the slots, and its loaded models say whose requests
 * can use them. A shared name waits in the queue of one of its models, so the others of the name count, too.
 * @returns null: nothing, as while the node is full
 */
export function freePlaces(
  node: OnlineNode,
  finder: Pick<PlacementFinder, 'freeSlots'>,
  find: (model: string) => ModelLookup,
): Places | null {
  if (!node.acceptsWork) return null;
  const byEngine = new Map<string, number>();
  const selectors = new Set<ModelSelector>([anyModel]);
  for (const report of node.models.values()) {
    if (report.state !== 'loaded') continue;
    const free = finder.freeSlots({ node, report });
    if (free === 0) continue;
    byEngine.set(report.engine, Math.max(free, byEngine.get(report.engine) ?? 0));
    selectors.add(report.selector);
    const named = find(report.display_name);
    if (named.kind === 'shared') for (const selector of named.selectors) selectors.add(selector);
  }
  if (byEngine.size === 0) return null;
  let places = 0;
  for (const free of byEngine.values()) places += free;
  return { places, selectors };
}
