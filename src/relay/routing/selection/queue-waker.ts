import type { AccountId, ModelSelector } from '../../../kernel/ids.js';
import type { OnlineNode, ReportedModel } from '../../nodes/registry/online-node.js';
import type { AdmissionQueue, AwaitedModels } from '../admission/admission-queue.js';
import type { FreedNodes } from '../admission/freed-nodes.js';
import type { Slot } from '../admission/occupancy.js';
import { anyModel } from '../admission/waiting.js';
import type { FleetView } from './eligibility.js';
import type { PlacementFinder } from './placement-finder.js';

export interface QueueWakerOptions {
  readonly queue: Pick<AdmissionQueue, 'hasWaiting' | 'awaitedIn' | 'slotsFreed'>;
  readonly finder: Pick<PlacementFinder, 'freeSlots' | 'isEngineFull'>;
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
    if (node === undefined) return;
    this.offer(node, engine, most);
    // The link was full: the place in it is one for any engine of the node.
    if (node.freeStreams !== 1) return;
    for (const { name } of node.status?.engines ?? []) if (name !== engine) this.offer(node, name, 1);
  }

  private offer(node: OnlineNode, engine: string, most: number): void {
    if (!node.acceptsWork) return;
    const { queue, finder, fleetOf } = this.options;
    const { accountId, clusterId } = node;
    const awaited = queue.awaitedIn(accountId, clusterId);
    if (awaited === undefined) return;
    const fleet = fleetOf(accountId);
    const awaitsAny = awaited.waitsFor(anyModel);
    let selectors: Set<ModelSelector> | null = null;
    let places = 0;
    let engineChecked = false;
    for (const report of node.models.values()) {
      if (report.engine !== engine || report.state !== 'loaded') continue;
      const placement = { node, report };
      // Once: all models of the engine share its slots.
      if (!engineChecked && finder.isEngineFull(placement)) return;
      engineChecked = true;
      const named = sharedNameOf(report, fleet);
      if (!awaitsAny && !isAwaited(report, named, awaited)) continue;
      // A model may have fewer learned slots than its engine.
      const free = finder.freeSlots(placement);
      if (free === 0) continue;
      places = Math.max(places, free);
      selectors ??= new Set([anyModel]);
      selectors.add(report.selector);
      for (const other of named) selectors.add(other);
    }
    if (selectors !== null)
      queue.slotsFreed(accountId, { slots: Math.min(places, most), selectors, cluster: clusterId, node });
  }
}

const notShared: readonly ModelSelector[] = [];

/** The models of its name, if several share it: a request by that name waits in the queue of one of them, and may use them all. */
function sharedNameOf({ display_name: name }: ReportedModel, fleet: Pick<FleetView, 'find'>): readonly ModelSelector[] {
  const lookup = fleet.find(name);
  return lookup.kind === 'shared' ? lookup.selectors : notShared;
}

/** Whether a request waits that the model may serve. */
function isAwaited({ selector }: ReportedModel, named: readonly ModelSelector[], awaited: AwaitedModels): boolean {
  if (awaited.waitsFor(selector)) return true;
  for (const other of named) if (awaited.waitsFor(other)) return true;
  return false;
}
