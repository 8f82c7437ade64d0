/** Random faults of a cluster, one after the other, from one seed. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Rng } from '../../../src/kernel/clock.js';
import { below, seeded } from '../../faults/support/repetitions.js';
import { FerryProcess } from '../../support/process/ferry-process.js';
import type { TestNode } from '../../support/process/test-node.js';
import type { ClusterHarness } from './cluster.harness.js';

const LONGEST_PAUSE_MS = 3_000;
const LONGEST_OUTAGE_MS = 5_000;
/** Longer than a frozen server goes unnoticed. */
const LONGEST_FREEZE_MS = 15_000;
const SEEDS_APART = 1_000_003;

interface Fault {
  readonly name: string;
  readonly strike: (random: Rng) => Promise<void>;
}

export class Nemesis {
  /** What it did, with the second at which each fault began. */
  readonly history: string[] = [];

  constructor(
    private readonly harness: ClusterHarness,
    /** Processes of their own, beside the fleet. */
    private readonly nodes: readonly TestNode[],
    private readonly seed: number,
  ) {}

  /** At every moment at most one relay, the bus and one node are down. All run again when it resolves. */
  async rage(durationMs: number): Promise<void> {
    const startedAtMs = performance.now();
    const over = (): boolean => performance.now() - startedAtMs >= durationMs;
    const strikeUntilOver = async (faults: readonly Fault[], index: number): Promise<void> => {
      // Of its own, so that its choices do not depend on when the others choose.
      const random = seeded(this.seed + index * SEEDS_APART);
      while (!over()) {
        await delay(below(random, LONGEST_PAUSE_MS));
        const fault = faults[below(random, faults.length)];
        if (over() || fault === undefined) return;
        const { name, strike } = fault;
        this.history.push(`${Math.round((performance.now() - startedAtMs) / 1_000)} s ${name}`);
        await strike(random);
      }
    };
    await Promise.all([this.ofRelays(), this.ofBus(), this.ofNodes()].map(strikeUntilOver));
  }

  private ofRelays(): Fault[] {
    const { harness } = this;
    return harness.relays.flatMap((relay) => [
      {
        name: `kill ${relay.name}`,
        strike: async (random) => {
          await harness.kill(relay);
          await delay(below(random, LONGEST_OUTAGE_MS));
          await harness.launch(relay);
        },
      },
      {
        name: `restart ${relay.name}`,
        strike: async () => {
          await harness.stop(relay);
          await harness.launch(relay);
        },
      },
    ]);
  }

  private ofBus(): Fault[] {
    const { nats } = this.harness.cluster;
    return [
      {
        name: 'kill nats',
        strike: async (random) => {
          await nats.kill();
          await delay(below(random, LONGEST_OUTAGE_MS));
          await nats.restart();
        },
      },
      {
        name: 'freeze nats',
        strike: async (random) => {
          nats.freeze();
          await delay(below(random, LONGEST_FREEZE_MS)).finally(() => nats.resume());
        },
      },
    ];
  }

  private ofNodes(): Fault[] {
    return this.nodes.map((node, index) => ({
      name: `kill node ${index}`,
      strike: async (random) => {
        node.process.child.kill('SIGKILL');
        await node.process.exited;
        await delay(below(random, LONGEST_OUTAGE_MS));
        node.process = FerryProcess.start(['node', 'run'], node.env);
      },
    }));
  }
}
