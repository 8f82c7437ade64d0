import type { AccountId, ModelSelector } from '../../../kernel/ids.js';
import type { OnlineNode, ReportedModel } from '../../nodes/registry/online-node.js';
import type { AdmissionQueue } from '../admission/admission-queue.js';
import type { FreedNodes } from '../admission/freed-nodes.js';
import type { Slot } from '../admission/occupancy.js';
import { anyModel } from '../admission/waiting.js';
import type { FleetView } from './eligibility.js';
import type { PlacementFinder } from './placement-finder.js';

export interface QueueWakerOptions {
  readonly queue: Pick<AdmissionQueue, 'hasWaiting' | 'placesFreed'>;
  readonly finder: Pick<PlacementFinder, 'freeSlots'>;
  readonly freed: Pick<FreedNodes, 'note'>;
  readonly fleetOf: (accountId: AccountId) => Pick<FleetView, 'find' | 'node'>;
}

/**
 * Offers free places to waiting requests: only those of an engine that has some, only to requests for the models that it has loaded, and to
 * as many as there are places.
 */
export class QueueWaker {
  constructor(private readonly options: QueueWakerOptions) {}

  /** STATUS comes with every change of a slot. */
  reported(node: OnlineNode): void {
    this.options.freed.note(node.nodeId);
    if (!this.options.queue.hasWaiting(node.accountId)) return;
    for (const { name } of node.status?.engines ?? []) this.offer(node, name, Infinity);
  }

  /** A request has left the engine. `Occupancy` has noted the node. */
  slotFreed(accountId: AccountId, slot: Slot): void {
    this.freed(accountId, slot, 1);
  }

  /** Requests may be sent to the engine again. */
  engineFreed(accountId: AccountId, slot: Slot): void {
    this.options.freed.note(slot.nodeId);
    this.freed(accountId, slot, Infinity);
  }

  private freed(accountId: AccountId, { nodeId, engine }: Slot, most: number): void {
    if (!this.options.queue.hasWaiting(accountId)) return;
    // The node of the slot may have another link by now.
    const node = this.options.fleetOf(accountId).node(nodeId);
    if (node !== undefined) this.offer(node, engine, most);
  }

  private offer(node: OnlineNode, engine: string, most: number): void {
    if (!node.acceptsWork) return;
    const { queue, finder } = this.options;
    const { accountId } = node;
    const selectors = new Set<ModelSelector>([anyModel]);
    let places = 0;
    for (const report of node.models.values()) {
      if (report.engine !== engine || report.state !== 'loaded') continue;
      // A model may have fewer learned slots than its engine.
      const free = finder.freeSlots({ node, report });
      if (free === 0) continue;
      places = Math.max(places, free);
      this.addAwaited(selectors, accountId, report);
    }
    if (places > 0)
      queue.placesFreed(accountId, { places: Math.min(places, most), selectors, cluster: node.clusterId });
  }

  /** The queues whose requests may use the model. A shared name waits in the queue of one of its models, so the others count, too. */
  private addAwaited(
    selectors: Set<ModelSelector>,
    accountId: AccountId,
    { selector, display_name: name }: ReportedModel,
  ): void {
    selectors.add(selector);
    const named = this.options.fleetOf(accountId).find(name);
    if (named.kind === 'shared') for (const other of named.selectors) selectors.add(other);
  }
}
