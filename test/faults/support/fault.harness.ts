/** Relay, nodes and engines as separate processes, each with a record of all requests. */
import { expect } from '@jest/globals';
import { eventually } from '../../support/clock/eventually.js';
import type { FerryProcess } from '../../support/process/ferry-process.js';
import { TestNode } from '../../support/process/test-node.js';
import { TestRelay } from '../../support/process/test-relay.js';
import { FaultProxy } from './fault-proxy.js';
import { violationsOf } from './history.js';
import { RecordingClient } from './recording-client.js';
import { RecordingEngine } from './recording-engine.js';
import { readRelayLog } from './relay-log.js';
import { addAccount } from './second-account.js';

export interface FaultNodeOptions {
  readonly slots: number;
  readonly models?: readonly string[];
  /** The link runs through a fault proxy. */
  readonly proxied?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

export interface FaultNode {
  readonly name: string;
  readonly slots: number;
  readonly node: TestNode;
  readonly engine: RecordingEngine;
  readonly proxy: FaultProxy | undefined;
}

/** Repetitions on one relay: its protection against identity conflicts and failing engines would stop the test itself. */
const patient = {
  FERRY_LINK_UPGRADES_PER_MINUTE: '10000',
  FERRY_HEALTH_PROBE_AFTER_MS: '100',
  FERRY_HEALTH_PROBE_MAX_MS: '200',
};
const REQUEST_LOG_WITHIN_MS = 10_000;
const SLOTS_FREE_WITHIN_MS = 10_000;

export class FaultHarness {
  readonly client: RecordingClient;
  readonly nodes: FaultNode[] = [];
  private readonly processes: FerryProcess[];
  private lastViolations: readonly string[] = [];

  private constructor(
    /** The view of one account. */
    readonly relay: TestRelay,
    processes = [relay.process],
  ) {
    this.client = new RecordingClient(relay);
    this.processes = processes;
  }

  static async start(
    nodes: Readonly<Record<string, FaultNodeOptions>>,
    env: Readonly<Record<string, string>> = {},
    database: 'default' | 'embedded' = 'default',
  ): Promise<FaultHarness> {
    const harness = new FaultHarness(await TestRelay.start({ env: { ...patient, ...env }, database }));
    for (const [name, options] of Object.entries(nodes)) await harness.addNode(name, options);
    return harness;
  }

  /** Adds another account to the embedded relay, with its own nodes, clients and history. Call it before any node exists. */
  async beside(): Promise<FaultHarness> {
    await this.relay.process.stop();
    const credentials = await addAccount(this.relay);
    await this.restartRelay();
    const asOther = Object.assign(Object.create(this.relay) as TestRelay, { credentials });
    return new FaultHarness(asOther, this.processes);
  }

  node(name: string): FaultNode {
    const found = this.nodes.find((node) => node.name === name);
    if (found === undefined) throw new Error(`the harness has no node ${name}`);
    return found;
  }

  async addNode(name: string, { slots, models = ['fake'], proxied, env }: FaultNodeOptions): Promise<void> {
    const engine = await RecordingEngine.start(name, models);
    const proxy = proxied === true ? await FaultProxy.start(Number(new URL(this.relay.baseUrl).port)) : undefined;
    const node = await TestNode.start(this.relay, {
      engines: [{ kind: 'openai-compatible', base_url: engine.fake.url, resident: 'all', slots }],
      env: { ...env, ...(proxy === undefined ? {} : { FERRY_NODE_RELAY_URL: proxy.url }) },
    });
    this.nodes.push({ name, slots, engine, node, proxy });
  }

  /** kill -9, if it still runs, and a new process, which also resets the node's back-off. */
  async restartNode(name: string): Promise<void> {
    const { node } = this.node(name);
    node.process.child.kill('SIGKILL');
    await node.process.exited;
    await eventually('the relay noticed', async () => !(await node.status()).online);
    await node.run();
  }

  async restartRelay(): Promise<void> {
    await this.relay.restart();
    this.processes.push(this.relay.process);
  }

  /** Waits until every request is in the request log, then checks I1–I4 and I6 over everything so far. */
  async expectSound(): Promise<void> {
    const named = this.client.records.flatMap(({ requestId }) => requestId ?? []);
    // Not the number: a client that left before the headers has a line as well, but its id is unknown.
    await this.endsOf(named).catch(() => undefined);
    const { lines, retried, accidents } = this.relayLog();
    this.lastViolations = violationsOf({
      clients: this.client.records,
      runs: this.nodes.flatMap(({ engine }) => engine.runs),
      requestLog: lines,
      retried,
      accidents,
    });
    expect(this.lastViolations).toEqual([]);
  }

  /** When each of these requests ended for the relay, once all have ended. */
  endsOf(requestIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return eventually(
      'the requests are in the request log',
      () => {
        const { endedAtMs } = this.relayLog();
        return requestIds.every((id) => endedAtMs.has(id)) && endedAtMs;
      },
      REQUEST_LOG_WITHIN_MS,
    );
  }

  /** The observable part of I5: nothing runs on an engine, and as many concurrent requests as there are slots succeed. */
  async expectNothingHeld(models: readonly string[] = ['fake']): Promise<void> {
    await eventually('no engine runs', () => this.nodes.every(({ engine }) => engine.open.length === 0));
    for (const { engine } of this.nodes) engine.behave = (run) => run.tell(1, 0);
    for (const model of models) {
      const slots = this.nodes.reduce(
        (sum, { engine, slots }) => sum + (engine.fake.models.includes(model) ? slots : 0),
        0,
      );
      await eventually(
        `${slots} requests get through at once`,
        async () => {
          const responses = await this.client.many(slots, { model });
          return responses.every(({ end }) => end === 'completed');
        },
        SLOTS_FREE_WITHIN_MS,
      );
    }
  }

  /** Ids that the relay logged as retried. */
  get retried(): ReadonlySet<string> {
    return this.relayLog().retried;
  }

  get violations(): number {
    return this.lastViolations.length;
  }

  async stop(): Promise<void> {
    await this.stopNodes();
    await this.relay.stop();
  }

  async stopNodes(): Promise<void> {
    for (const { node, engine, proxy } of this.nodes) {
      node.process.child.kill('SIGKILL');
      await node.stop();
      await proxy?.stop();
      await engine.stop();
    }
  }

  private relayLog(): ReturnType<typeof readRelayLog> {
    return readRelayLog(this.processes, this.relay.credentials.account_id);
  }
}
