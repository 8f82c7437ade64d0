import type { InstanceId, NodeId } from '../../../kernel/ids.js';
import { entryLoads, loadSteps, noLoads, type EngineLoads } from './engine-loads.js';
import { digestOf, type NodePresence } from './node-presence.js';
import {
  LOADS_PER_MESSAGE,
  MAX_NODES,
  NODES_PER_MESSAGE,
  type Delta,
  type Heartbeat,
  type NodeEntry,
  type Snapshot,
} from './presence-messages.js';

interface Published {
  readonly number: number;
  readonly presence: NodePresence;
  /** The loads that were sent last. */
  readonly loads: EngineLoads;
}

/** The state of this replica's nodes as published to the other replicas. A lost message shows in the next sequence number. */
export class LocalPresence {
  private readonly published = new Map<NodeId, Published>();
  private lastNumber = 0;
  private sequence = 0;
  private digest = 0;

  constructor(
    private readonly instanceId: InstanceId,
    private readonly linkAddress?: string,
  ) {}

  /** Whether the others know that this node takes work. */
  isAvailable(nodeId: NodeId): boolean {
    return (this.published.get(nodeId)?.presence.availability ?? 'unavailable') !== 'unavailable';
  }

  /** @param changes current state by node; null: not connected. @returns what has changed since it was last published, in the order to send */
  update(changes: Iterable<readonly [NodeId, NodePresence | null]>): Delta[] {
    const deltas: Delta[] = [];
    let delta = emptyDelta();
    for (const [nodeId, presence] of changes) {
      this.record(delta, nodeId, presence);
      if (delta.up.length < NODES_PER_MESSAGE) continue;
      deltas.push(this.numbered(delta));
      delta = emptyDelta();
    }
    if (!isEmpty(delta)) deltas.push(this.numbered(delta));
    return deltas;
  }

  /**
   * @param loads current ones. Those of nodes that are not published are left out
   * @returns those that have changed by a step since they were last told
   */
  updateLoads(loads: Iterable<readonly [NodeId, EngineLoads]>): Delta[] {
    const deltas: Delta[] = [];
    let delta = emptyDelta();
    for (const [nodeId, now] of loads) {
      const before = this.published.get(nodeId);
      if (before === undefined) continue;
      const { steps, sent } = loadSteps(before.loads, now);
      if (steps.length === 0) continue;
      this.published.set(nodeId, { ...before, loads: sent });
      if (delta.loads.length + 4 * steps.length > 4 * LOADS_PER_MESSAGE) {
        deltas.push(this.numbered(delta));
        delta = emptyDelta();
      }
      for (const [engine, { waiting, foreign }] of steps) delta.loads.push(before.number, engine, waiting, foreign);
    }
    if (!isEmpty(delta)) deltas.push(this.numbered(delta));
    return deltas;
  }

  heartbeat(state: Heartbeat['state']): Heartbeat {
    const { instanceId: instance, sequence, digest } = this;
    const heartbeat: Heartbeat = { instance, sequence, nodes: this.published.size, digest, state };
    return this.linkAddress === undefined ? heartbeat : { ...heartbeat, link_address: this.linkAddress };
  }

  snapshot(): Snapshot[] {
    const entries = Array.from(this.published.values(), entryOf);
    const parts = Math.max(1, Math.ceil(entries.length / NODES_PER_MESSAGE));
    return Array.from({ length: parts }, (_, part) => ({
      sequence: this.sequence,
      part,
      parts,
      nodes: entries.slice(part * NODES_PER_MESSAGE, (part + 1) * NODES_PER_MESSAGE),
    }));
  }

  private record(delta: Delta, nodeId: NodeId, presence: NodePresence | null): void {
    const before = this.published.get(nodeId);
    if (presence === null) {
      if (before === undefined) return;
      delta.down.push(before.number);
      this.digest ^= digestOf(before.number, before.presence);
      this.published.delete(nodeId);
      return;
    }
    if (before === undefined && this.published.size >= MAX_NODES) return;
    // Most reports of a node change nothing that is published.
    if (before !== undefined && isSame(before.presence, presence)) return;
    const number = before?.number ?? (this.lastNumber += 1);
    const loads = before?.loads ?? noLoads;
    if (before === undefined || !isSameLink(before.presence, presence))
      delta.up.push(entryOf({ number, presence, loads }));
    else {
      const { availability, modelsRevision } = presence;
      if (availability !== before.presence.availability) delta[availability].push(number);
      if (modelsRevision !== before.presence.modelsRevision) delta.models.push(number, modelsRevision);
    }
    if (before !== undefined) this.digest ^= digestOf(number, before.presence);
    this.digest ^= digestOf(number, presence);
    this.published.set(nodeId, { number, presence, loads });
  }

  private numbered(delta: Delta): Delta {
    this.sequence += 1;
    return { ...delta, sequence: this.sequence };
  }
}

const emptyDelta = (): Delta => ({
  sequence: 0,
  down: [],
  up: [],
  free: [],
  full: [],
  unavailable: [],
  models: [],
  loads: [],
});

const isEmpty = ({ down, up, free, full, unavailable, models, loads }: Delta): boolean =>
  [down, up, free, full, unavailable, models, loads].every(({ length }) => length === 0);

const isSameLink = (one: NodePresence, other: NodePresence): boolean =>
  one.epoch === other.epoch && one.clusterId === other.clusterId && one.accountId === other.accountId;

const isSame = (one: NodePresence, other: NodePresence): boolean =>
  isSameLink(one, other) && one.availability === other.availability && one.modelsRevision === other.modelsRevision;

const entryOf = ({ number: n, presence, loads }: Published): NodeEntry => ({
  n,
  node: presence.nodeId,
  account: presence.accountId,
  cluster: presence.clusterId,
  epoch: presence.epoch,
  availability: presence.availability,
  models: presence.modelsRevision,
  ...(loads.size === 0 ? {} : { loads: entryLoads(loads) }),
});
