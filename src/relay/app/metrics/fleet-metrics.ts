import { modelStates, type ModelState } from '../../../kernel/dialect.js';
import type { Label, Metric, Sample } from '../../../kernel/metrics/metric.js';
import { byLabel, single } from '../../../kernel/metrics/metric.js';
import type { StatusMessage } from '../../../link/messages.js';

/** A node with a link to this relay, as far as it is counted. */
export interface CountedNode {
  readonly acceptsWork: boolean;
  readonly status: StatusMessage | null;
  readonly models: ReadonlyMap<string, { readonly state: ModelState }>;
  readonly roundTripMs: number | null;
}

/** Counts for one scrape: numbers only, never names of nodes. */
interface Fleet {
  readonly nodes: Record<'accepting' | 'not_accepting', number>;
  readonly slots: Record<'used' | 'free', number>;
  readonly models: Record<ModelState, number>;
  /** Sorted. */
  readonly roundTripsMs: readonly number[];
}

const nodeState: Label<keyof Fleet['nodes']> = { name: 'state', values: ['accepting', 'not_accepting'] };
const slotState: Label<keyof Fleet['slots']> = { name: 'state', values: ['used', 'free'] };
const modelState: Label<ModelState> = { name: 'state', values: modelStates };
const quantile: Label<'0.5' | '0.99' | '1'> = { name: 'quantile', values: ['0.5', '0.99', '1'] };

/** A scrape reads each family; they are counted together, once in this time. */
const SAME_SCRAPE_MS = 100;

/**
 * The nodes with a link to this relay. Another relay counts its own, so the sum over all relays is the fleet (a node with links to several is
 * in each of them).
 */
export class FleetMetrics {
  private counted: { readonly fleet: Fleet; readonly atMs: number } | undefined;

  constructor(
    private readonly nodes: () => Iterable<CountedNode>,
    private readonly clock: { monotonicMs(): number },
  ) {}

  get all(): readonly Metric[] {
    return [
      byLabel('gauge', 'ferry_nodes', 'Nodes with a link to this relay.', nodeState, () => this.fleet.nodes),
      byLabel('gauge', 'ferry_slots', 'Slots of the engines of these nodes.', slotState, () => this.fleet.slots),
      byLabel(
        'gauge',
        'ferry_models',
        'Models of these nodes; one on two nodes counts twice.',
        modelState,
        () => this.fleet.models,
      ),
      {
        name: 'ferry_link_round_trip_seconds',
        help: 'Round trip of the links now: the median, the 99th percentile and the longest.',
        type: 'gauge',
        labels: [quantile],
        samples: () => this.roundTrips(),
      },
      single('gauge', 'ferry_links', 'Links whose round trip is known.', () => this.fleet.roundTripsMs.length),
    ];
  }

  private *roundTrips(): Iterable<Sample> {
    const { roundTripsMs: sorted } = this.fleet;
    for (const value of quantile.values) {
      const ms = sorted[Math.min(sorted.length - 1, Math.floor(Number(value) * sorted.length))];
      yield { labels: { quantile: value }, value: (ms ?? 0) / 1_000 };
    }
  }

  private get fleet(): Fleet {
    const nowMs = this.clock.monotonicMs();
    if (this.counted === undefined || nowMs - this.counted.atMs > SAME_SCRAPE_MS)
      this.counted = { fleet: count(this.nodes()), atMs: nowMs };
    return this.counted.fleet;
  }
}

function count(all: Iterable<CountedNode>): Fleet {
  const nodes = { accepting: 0, not_accepting: 0 };
  const slots = { used: 0, free: 0 };
  const models = { installed: 0, loading: 0, loaded: 0, unloading: 0, failed: 0 };
  const roundTripsMs: number[] = [];
  for (const node of all) {
    nodes[node.acceptsWork ? 'accepting' : 'not_accepting'] += 1;
    for (const { slots_total: total, slots_used: used } of node.status?.engines ?? []) {
      slots.used += used;
      slots.free += Math.max(0, total - used);
    }
    for (const { state } of node.models.values()) models[state] += 1;
    if (node.roundTripMs !== null) roundTripsMs.push(node.roundTripMs);
  }
  return { nodes, slots, models, roundTripsMs: roundTripsMs.sort((a, b) => a - b) };
}
