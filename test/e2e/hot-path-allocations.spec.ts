/**
 * What one streamed event costs in memory, in the relay (link message to client socket) and in the node (engine bytes to link message):
 * a gate on bytes allocated, because time is a matter of the machine. The next event is sent when the last one has arrived, so every
 * event is a message of its own and the count does not depend on how many happen to share a turn of the event loop.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AllocationMeter, type Allocated } from '../support/allocation-meter.js';
import { eventsOf } from '../support/event-stream.js';
import { FakeEngine } from '../support/fake-engine.js';
import { TestNode } from '../support/node.js';
import { TestRelay } from '../support/relay.js';

/** The compilers have to be done with the path before it counts. */
const WARM_UP_EVENTS = 6_000;
const EVENTS = 6_000;

interface Budgets {
  readonly toleranceShare: number;
  /** By major version of Node; one that is not listed is held to the last. */
  readonly bytesPerEvent: Readonly<Record<string, Readonly<Record<Side, number>>>>;
}
type Side = 'relay' | 'node';

const budgetsFile = path.join(import.meta.dirname, 'allocation-budgets.json');
const major = process.versions.node.split('.')[0]!;

class Chain {
  private constructor(
    private readonly directory: string,
    private readonly relay: TestRelay,
    private readonly node: TestNode,
    private readonly engine: FakeEngine,
    private readonly meters: Readonly<Record<Side, AllocationMeter>>,
  ) {}

  static async start(waste = 0): Promise<Chain> {
    const directory = await mkdtemp(path.join(tmpdir(), 'ferry-meter-'));
    const meters = {
      relay: new AllocationMeter(path.join(directory, 'relay'), waste),
      node: new AllocationMeter(path.join(directory, 'node'), waste),
    };
    const relay = await TestRelay.start({ env: meters.relay.env });
    const engine = await FakeEngine.start();
    const node = await TestNode.start(relay, {
      engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 1 }],
      env: meters.node.env,
    });
    return new Chain(directory, relay, node, engine, meters);
  }

  /** Bytes per event on both sides, in one stream. */
  async measure(): Promise<Record<Side, Allocated>> {
    let next: () => void = () => undefined;
    this.engine.answer = async (call) => {
      call.startStream();
      for (let sent = 0; sent < WARM_UP_EVENTS + EVENTS && !call.gone; sent += 1) {
        const arrived = new Promise<void>((resolve) => (next = resolve));
        call.chunk({ content: ' token' });
        await arrived;
      }
      call.finish();
    };
    const { relay, node } = this.meters;
    const response = await this.relay.chat({
      model: 'fake',
      stream: true,
      messages: [{ role: 'user', content: 'count' }],
    });
    let seen = 0;
    const result: Partial<Record<Side, Allocated>> = {};
    for await (const event of eventsOf(response)) {
      if (!event.text.includes(' token')) continue;
      seen += 1;
      if (seen === WARM_UP_EVENTS) await Promise.all([relay.start(), node.start()]);
      if (seen === WARM_UP_EVENTS + EVENTS)
        [result.relay, result.node] = await Promise.all([relay.stop(), node.stop()]);
      next();
    }
    expect(seen).toBe(WARM_UP_EVENTS + EVENTS);
    return { relay: result.relay!, node: result.node! };
  }

  async stop(): Promise<void> {
    await this.node.stop();
    await this.relay.stop();
    await this.engine.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}

const perEvent = ({ bytes }: Allocated): number => Math.round(bytes / EVENTS);

const budgetOf = (side: Side, { bytesPerEvent }: Budgets): number =>
  (bytesPerEvent[major] ?? Object.values(bytesPerEvent).at(-1)!)[side];

const howToSet = (side: Side, measured: number): string =>
  `set bytesPerEvent["${major}"].${side} to ${measured} in test/e2e/allocation-budgets.json`;

/** Undefined: within the budget. Otherwise what to do about it. */
function complaint(side: Side, allocated: Allocated, budgets: Budgets): string | undefined {
  const budget = budgetOf(side, budgets);
  const measured = perEvent(allocated);
  if (measured <= budget * (1 + budgets.toleranceShare)) return undefined;
  return [
    `the ${side} allocates ${measured} bytes per streamed event on Node ${major}; the budget is ${budget}.`,
    `Something on the path of every event allocates more than it did. If it is worth that, say so in the commit and ${howToSet(side, measured)}.`,
    'Bytes per event, by place:',
    ...allocated.top.map(([place, bytes]) => `  ${Math.round(bytes / EVENTS)} ${place}`),
  ].join('\n');
}

/** A saving that is not written down is spent again unseen. */
function hint(side: Side, allocated: Allocated, budgets: Budgets): string {
  const measured = perEvent(allocated);
  const saved = measured < budgetOf(side, budgets) * (1 - budgets.toleranceShare);
  return `${side} ${measured}${saved ? ` (a saving: ${howToSet(side, measured)})` : ''}`;
}

describe('allocations per streamed event', () => {
  let budgets: Budgets;

  beforeAll(async () => {
    budgets = JSON.parse(await readFile(budgetsFile, 'utf8')) as Budgets;
  });

  describe('of the relay and the node', () => {
    let chain: Chain;

    beforeAll(async () => {
      chain = await Chain.start();
    }, 60_000);

    afterAll(async () => {
      await chain.stop();
    }, 30_000);

    it('stay within their budgets', async () => {
      const { relay, node } = await chain.measure();
      process.stderr.write(
        `bytes per event on Node ${major}: ${hint('relay', relay, budgets)}, ${hint('node', node, budgets)}\n`,
      );
      expect([complaint('relay', relay, budgets), complaint('node', node, budgets)]).toEqual([undefined, undefined]);
    }, 60_000);
  });

  describe('with an array of 40 numbers wasted on every write', () => {
    let chain: Chain;

    beforeAll(async () => {
      chain = await Chain.start(40);
    }, 60_000);

    afterAll(async () => {
      await chain.stop();
    }, 30_000);

    it('are over both budgets, and the complaint names the place', async () => {
      const { relay, node } = await chain.measure();
      expect(complaint('relay', relay, budgets)).toMatch(/more than it did(.|\n)*metered-process/);
      expect(complaint('node', node, budgets)).toMatch(/more than it did(.|\n)*metered-process/);
    }, 60_000);
  });
});
