/** Choices among more placements than one decision compares, with the relay's real selection. */
import { describe, expect, test } from '@jest/globals';
import { account, FakeNode } from '../../../../test/support/relay/routing-fleet.js';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { chatRequirements } from '../../../dialects/chat/requirements.js';
import type { NodeId } from '../../../kernel/ids.js';
import { alwaysHealthy, type NodeHealthState } from '../../nodes/health/health-view.js';
import type { Placement } from '../../inventory/model-entry.js';
import { TimerWheel } from '../../platform/timing/timer-wheel.js';
import { noAffinity } from '../affinity/affinity-keys.js';
import { createSelection, type Selection } from '../create-routing.js';
import { unknownDemand } from '../prediction/demand.js';
import { slotAt } from './capacity.js';
import type { EligibilityQuery, FleetView } from './eligibility.js';
import type { Finding } from './placement-finder.js';
import { SAMPLED_ABOVE } from './sampled-search.js';

const NODES = 500;
const none = new Set<NodeId>();
const query: EligibilityQuery = {
  pin: null,
  scope: null,
  model: 'tiny',
  dialect: 'chat',
  requirements: chatRequirements({ messages: [] }),
};

class LargeFleet implements FleetView {
  readonly health = {
    ...alwaysHealthy,
    stateOf: (nodeId: NodeId): NodeHealthState => this.states.get(nodeId) ?? 'healthy',
  };
  readonly states = new Map<NodeId, NodeHealthState>();
  readonly placements: readonly Placement[];
  readonly selection: Selection;
  private readonly holders = new Map<FakeNode, object>();

  constructor(readonly nodes: readonly FakeNode[]) {
    this.placements = nodes.flatMap((node) => [...node.models.values()].map((report) => ({ node, report })));
    const clock = new ManualClock();
    let draws = 0;
    this.selection = createSelection({
      clock,
      timers: new TimerWheel({ clock }),
      // Evenly spread, and the same in every run.
      random: () => (draws++ * 0.618_033_988_75) % 1,
      fleetOf: () => this,
      settings: { queueLimit: 10, affinityKeys: 100 },
    });
  }

  static of(nodes: number): LargeFleet {
    return new LargeFleet(Array.from({ length: nodes }, (_, index) => new FakeNode(`n${index}`)));
  }

  find(): ReturnType<FleetView['find']> {
    const [first] = this.placements;
    if (first === undefined) return { kind: 'unknown' };
    const { selector } = first.report;
    return { kind: 'found', entry: { selector, id: 'tiny', displayName: 'tiny', placements: () => this.placements } };
  }

  node(nodeId: NodeId): FakeNode | undefined {
    return this.nodes.find((node) => node.nodeId === nodeId);
  }

  at(index: number): FakeNode {
    const node = this.nodes[index];
    if (node === undefined) throw new Error(`no node ${index}`);
    return node;
  }

  /** Its only slot is used by another request, or is not. */
  occupy(node: FakeNode, isBusy: boolean): void {
    const holder = this.holders.get(node) ?? {};
    this.holders.set(node, holder);
    const [report] = node.models.values();
    if (report !== undefined) this.selection.occupancy.move(holder, isBusy ? slotAt({ node, report }) : null);
  }

  occupyAll(): void {
    for (const node of this.nodes) this.occupy(node, true);
  }

  ask(opening: string | null = null, excluded: ReadonlySet<NodeId> = none): Finding {
    const profile = { demand: unknownDemand, affinity: { ...noAffinity, opening } };
    return this.selection.finder.find(account, query, excluded, profile);
  }
}

const nodeOf = (finding: Finding): string | null => finding.decision.chosen?.placement.node.name ?? null;

describe('a choice among many placements', () => {
  test('compares a sample, and says of how many', () => {
    const { decision } = LargeFleet.of(NODES).ask();
    expect(decision.placements).toBe(NODES);
    expect(decision.candidates.length).toBeLessThanOrEqual(SAMPLED_ABOVE);
    expect(decision.chosen).not.toBeNull();
  });

  test('compares all of them up to the limit', () => {
    expect(LargeFleet.of(SAMPLED_ABOVE).ask().decision.candidates).toHaveLength(SAMPLED_ABOVE);
  });

  test('finds the only free one, also after it was full', () => {
    const fleet = LargeFleet.of(NODES);
    fleet.occupyAll();
    expect(fleet.ask().kind).toBe('full');
    for (const index of [3, 499, 250]) {
      fleet.occupy(fleet.at(index), false);
      expect(nodeOf(fleet.ask())).toBe(`n${index}`);
      fleet.occupy(fleet.at(index), true);
      expect(fleet.ask().kind).toBe('full');
    }
  });

  test('finds a node that has reported more slots', () => {
    const fleet = LargeFleet.of(NODES);
    fleet.occupyAll();
    expect(fleet.ask().kind).toBe('full');
    const node = fleet.at(7);
    node.status = new FakeNode('', { slots: 2 }).status;
    fleet.selection.waker.reported(node);
    expect(nodeOf(fleet.ask())).toBe('n7');
  });

  test('a choice among many placements is the same for a conversation at two relays that list the nodes in another order', () => {
    const one = LargeFleet.of(NODES);
    const other = new LargeFleet(one.nodes.toReversed());
    const conversations = Array.from({ length: 50 }, (_, index) => `conversation ${index}`);
    const chosen = conversations.map((name) => nodeOf(one.ask(name)));
    expect(conversations.map((name) => nodeOf(other.ask(name)))).toEqual(chosen);
    expect(new Set(chosen).size).toBeGreaterThan(40);
  });

  test('never is a node that the request has tried', () => {
    const fleet = LargeFleet.of(NODES);
    const tried = new Set(fleet.nodes.slice(1).map(({ nodeId }) => nodeId));
    expect(nodeOf(fleet.ask(null, tried))).toBe('n0');
  });

  test('a choice among many placements is a suspect node only when no other can serve the request, even later', () => {
    const fleet = LargeFleet.of(NODES);
    for (const { nodeId } of fleet.nodes) fleet.states.set(nodeId, 'suspect');
    fleet.states.delete(fleet.at(5).nodeId);
    expect(nodeOf(fleet.ask())).toBe('n5');
    fleet.occupy(fleet.at(5), true);
    expect(fleet.ask().kind).toBe('full');
    fleet.states.set(fleet.at(5).nodeId, 'suspect');
    expect(fleet.ask().kind).toBe('free');
  });
});
