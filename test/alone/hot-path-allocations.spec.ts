// Own relay: its allocations are measured.
/**
 * Bytes allocated per streamed event and per small JSON request, in the relay and in the node. Allocations are the gate, because time
 * depends on the machine. Each event is sent after the previous one has arrived, so every event is a separate message and the count does
 * not depend on how many share a turn of the event loop.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AllocationMeter, type Allocated } from '../support/process/allocation-meter.js';
import { eventsOf } from '../support/client/event-stream.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

/** JIT compilers must have settled before counting starts. */
const WARM_UP_EVENTS = 6_000;
const EVENTS = 6_000;
/** Of processes that are warm already. */
const WASTEFUL_WARM_UP_EVENTS = 500;
const WARM_UP_REQUESTS = 2_000;
const REQUESTS = 1_000;

/** By major version of Node; unlisted versions use the last entry. */
type Budget = Readonly<Record<string, Readonly<Record<Side, number>>>>;

interface Budgets {
  readonly toleranceShare: number;
  readonly bytesPerEvent: Budget;
  readonly bytesPerRequest: Budget;
}
type Side = 'relay' | 'node';

/** One measurement: the label, the number of repetitions and the key of its budget. */
interface Unit {
  readonly name: string;
  readonly count: number;
  readonly budget: 'bytesPerEvent' | 'bytesPerRequest';
}
const event: Unit = { name: 'streamed event', count: EVENTS, budget: 'bytesPerEvent' };
/** The waste is far above the tolerance, so that fewer events show it. */
const wasteful: Unit = { ...event, count: 1_000 };
const request: Unit = { name: 'small request', count: REQUESTS, budget: 'bytesPerRequest' };

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

  static async start(): Promise<Chain> {
    const directory = await mkdtemp(path.join(tmpdir(), 'ferry-meter-'));
    const meters = {
      relay: new AllocationMeter(path.join(directory, 'relay')),
      node: new AllocationMeter(path.join(directory, 'node')),
    };
    const relay = await TestRelay.start({ env: meters.relay.env });
    const engine = await FakeEngine.start();
    const node = await TestNode.start(relay, {
      engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 1 }],
      env: meters.node.env,
    });
    return new Chain(directory, relay, node, engine, meters);
  }

  /** Bytes of so many events on both sides, in one stream. */
  async measure(warmUpEvents: number, events: number): Promise<Record<Side, Allocated>> {
    const all = warmUpEvents + events;
    let next: () => void = () => undefined;
    this.engine.respond = async (call) => {
      call.startStream();
      for (let sent = 0; sent < all && !call.gone; sent += 1) {
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
      if (seen === warmUpEvents) await Promise.all([relay.start(), node.start()]);
      if (seen === all) [result.relay, result.node] = await Promise.all([relay.stop(), node.stop()]);
      next();
    }
    expect(seen).toBe(all);
    return { relay: result.relay!, node: result.node! };
  }

  /** Bytes per small JSON request on both sides, one at a time. */
  async measureRequests(): Promise<Record<Side, Allocated>> {
    this.engine.respond = (call) => {
      call.completion('token');
      return Promise.resolve();
    };
    const { relay, node } = this.meters;
    const ask = async (times: number): Promise<void> => {
      for (let asked = 0; asked < times; asked += 1) {
        const response = await this.relay.chat({ model: 'fake', messages: [{ role: 'user', content: 'one' }] });
        expect(response.status).toBe(200);
        await response.text();
      }
    };
    await ask(WARM_UP_REQUESTS);
    await Promise.all([relay.start(), node.start()]);
    await ask(REQUESTS);
    const [ofRelay, ofNode] = await Promise.all([relay.stop(), node.stop()]);
    return { relay: ofRelay, node: ofNode };
  }

  async waste(): Promise<void> {
    await Promise.all([this.meters.relay.waste(), this.meters.node.waste()]);
  }

  async stop(): Promise<void> {
    await this.node.stop();
    await this.relay.stop();
    await this.engine.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}

const perUnit = ({ count }: Unit, { bytes }: Allocated): number => Math.round(bytes / count);

const budgetOf = (unit: Unit, side: Side, budgets: Budgets): number =>
  (budgets[unit.budget][major] ?? Object.values(budgets[unit.budget]).at(-1)!)[side];

const howToSet = ({ budget }: Unit, side: Side, measured: number): string =>
  `set ${budget}["${major}"].${side} to ${measured} in test/alone/allocation-budgets.json`;

/** Undefined within the budget; otherwise the advice. */
function complaint(unit: Unit, side: Side, allocated: Allocated, budgets: Budgets): string | undefined {
  const budget = budgetOf(unit, side, budgets);
  const measured = perUnit(unit, allocated);
  if (measured <= budget * (1 + budgets.toleranceShare)) return undefined;
  return [
    `the ${side} allocates ${measured} bytes per ${unit.name} on Node ${major}; the budget is ${budget}.`,
    `Something on its path allocates more than it did. If it is worth that, say so in the commit and ${howToSet(unit, side, measured)}.`,
    `Bytes per ${unit.name}, by place:`,
    ...allocated.top.map(([place, bytes]) => `  ${Math.round(bytes / unit.count)} ${place}`),
  ].join('\n');
}

/** An unrecorded saving would be lost again unnoticed. */
function hint(unit: Unit, side: Side, allocated: Allocated, budgets: Budgets): string {
  const measured = perUnit(unit, allocated);
  const saved = measured < budgetOf(unit, side, budgets) * (1 - budgets.toleranceShare);
  return `${side} ${measured}${saved ? ` (a saving: ${howToSet(unit, side, measured)})` : ''}`;
}

function expectWithin(unit: Unit, { relay, node }: Record<Side, Allocated>, budgets: Budgets): void {
  const figures = `${hint(unit, 'relay', relay, budgets)}, ${hint(unit, 'node', node, budgets)}`;
  process.stderr.write(`bytes per ${unit.name} on Node ${major}: ${figures}\n`);
  expect([complaint(unit, 'relay', relay, budgets), complaint(unit, 'node', node, budgets)]).toEqual([
    undefined,
    undefined,
  ]);
}

describe('allocations per streamed event and per request', () => {
  let budgets: Budgets;

  beforeAll(async () => {
    budgets = JSON.parse(await readFile(budgetsFile, 'utf8')) as Budgets;
  });

  let chain: Chain;

  beforeAll(async () => {
    chain = await Chain.start();
  }, 60_000);

  afterAll(async () => {
    await chain.stop();
  }, 30_000);

  // In this order: what was wasted once is wasted from then on.
  it('the relay and the node stay within their allocations per streamed event and per request', async () => {
    expectWithin(event, await chain.measure(WARM_UP_EVENTS, EVENTS), budgets);
    expectWithin(request, await chain.measureRequests(), budgets);
  }, 120_000);

  it('with an extra array of 200 numbers per write exceed both budgets, and the failure names the place', async () => {
    await chain.waste();
    const { relay, node } = await chain.measure(WASTEFUL_WARM_UP_EVENTS, wasteful.count);
    expect(complaint(wasteful, 'relay', relay, budgets)).toMatch(/more than it did(.|\n)*metered-process/);
    expect(complaint(wasteful, 'node', node, budgets)).toMatch(/more than it did(.|\n)*metered-process/);
  }, 60_000);
});
