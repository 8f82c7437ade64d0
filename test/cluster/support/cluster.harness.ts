/** Three relays behind nginx, many nodes with one recording engine, and clients of each relay and of nginx: the records of all agree. */
import { expect } from '@jest/globals';
import { eventually } from '../../support/clock/eventually.js';
import { NodeFleet } from '../../support/replicas/node-fleet.js';
import { RelayCluster, type ClusterOptions } from '../../support/replicas/relay-cluster.js';
import { AddressClient } from '../../support/process/relay-client.js';
import type { RelayReplica } from '../../support/replicas/relay-replica.js';
import { endsOf, violationsOf, type ClientRecord } from '../../faults/support/history.js';
import { RecordingClient } from '../../faults/support/recording-client.js';
import { RecordingEngine } from '../../faults/support/recording-engine.js';
import { readRelayLog } from '../../faults/support/relay-log.js';
import { SteadyLoad } from './steady-load.js';

/** A killed process loses the lines that it had not written yet. */
const UNWRITTEN_MS = 2_000;
const REQUEST_LOG_WITHIN_MS = 10_000;
const NODES_WITHIN_MS = 90_000;
const STREAMS_WITHIN_MS = 30_000;

const settings = {
  FERRY_NODES_PER_ACCOUNT: '1000',
  FERRY_LINK_UPGRADES_PER_MINUTE: '100000',
  FERRY_MANAGEMENT_PER_CREDENTIAL_PER_MINUTE: '100000',
  FERRY_MANAGEMENT_PER_ACCOUNT_PER_MINUTE: '100000',
  FERRY_MANAGEMENT_PER_ADDRESS_PER_MINUTE: '100000',
  FERRY_HEALTH_FAILURE_THRESHOLD: '1000',
};

interface Kill {
  readonly relay: RelayReplica;
  readonly atMs: number;
}

export class ClusterHarness {
  /** Of each relay alone, in the order of `cluster.relays`. */
  readonly direct: readonly RecordingClient[];
  /** Through nginx. */
  readonly front: RecordingClient;
  private readonly kills: Kill[] = [];
  private readonly withOtherKeys: { readonly relay: RelayReplica; readonly client: RecordingClient }[] = [];

  private constructor(
    readonly cluster: RelayCluster,
    readonly engine: RecordingEngine,
    readonly fleet: NodeFleet,
  ) {
    this.direct = cluster.relays.map((relay) => new RecordingClient(relay));
    this.front = new RecordingClient(cluster.front);
  }

  static async start(
    nodes: number,
    env: Readonly<Record<string, string>> = {},
    ownEnv?: ClusterOptions['ownEnv'],
  ): Promise<ClusterHarness> {
    const cluster = await RelayCluster.start({ env: { ...settings, ...env }, ...(ownEnv && { ownEnv }) });
    const engine = await RecordingEngine.start('engine', ['fake']);
    const fleet = await NodeFleet.start(cluster.front, engine.fake.url, nodes).catch(async (error: unknown) => {
      await engine.stop();
      await cluster.stop();
      throw error;
    });
    const harness = new ClusterHarness(cluster, engine, fleet);
    try {
      await harness.everyNodeIsEverywhere();
      return harness;
    } catch (error) {
      await harness.end();
      throw error;
    }
  }

  get relays(): readonly RelayReplica[] {
    return this.cluster.relays;
  }

  clientOf(relay: RelayReplica): RecordingClient {
    const client = this.direct[this.relays.indexOf(relay)];
    if (client === undefined) throw new Error(`${relay.name} is no relay of this cluster`);
    return client;
  }

  /** A client of one relay whose records are checked, too. */
  clientWithKey(relay: RelayReplica, key: string): RecordingClient {
    const credentials = { ...relay.credentials, base_url: relay.baseUrl, api_key: key };
    const client = new RecordingClient(new AddressClient(credentials));
    this.withOtherKeys.push({ relay, client });
    return client;
  }

  /**
   * Streams and requests at every relay and through nginx while `fault` runs: all complete, the records of all agree, and nothing is held
   * afterwards. @returns how many
   */
  async expectServedDuring(
    { each, words, wordEveryMs }: { readonly each: number; readonly words: number; readonly wordEveryMs: number },
    fault: () => Promise<void>,
  ): Promise<{ streams: number; requests: number }> {
    this.engine.behave = (run) => run.tell(words, wordEveryMs);
    const streams = this.direct.map((client) => client.many(each));
    await this.untilStreamsRun(this.direct.length * each);
    this.engine.behave = (run) => run.tell(3, 10);
    const load = new SteadyLoad([...this.direct, this.front]);
    await fault();
    const requests = await load.end();
    const whole = (await Promise.all(streams)).flat();
    for (const records of [whole, requests]) expect(endsOf(records)).toEqual(new Set(['completed']));
    expect(requests.length).toBeGreaterThan(10);
    await this.expectSound();
    await this.expectNothingHeld();
    return { streams: whole.length, requests: requests.length };
  }

  /** Each has got its first words. */
  async untilStreamsRun(count: number): Promise<void> {
    await eventually(
      'all streams run',
      () => this.engine.open.filter(({ text }) => text !== '').length === count,
      STREAMS_WITHIN_MS,
    );
  }

  async everyNodeIsEverywhere(): Promise<void> {
    for (const relay of this.cluster.running) await this.everyNodeIsLinkedTo(relay);
  }

  async everyNodeIsLinkedTo(relay: RelayReplica, withinMs = NODES_WITHIN_MS): Promise<void> {
    await eventually(`${relay.name} has a link to all nodes`, () => relay.linkedNodes === this.fleet.count, withinMs);
  }

  /** `kill -9`. */
  async kill(relay: RelayReplica): Promise<void> {
    this.kills.push({ relay, atMs: performance.now() });
    await relay.kill();
  }

  /** Drains. */
  async stop(relay: RelayReplica, withinMs = 60_000): Promise<void> {
    await relay.process.stop('SIGTERM', withinMs);
  }

  async launch(relay: RelayReplica): Promise<void> {
    await relay.launch();
  }

  /** Whether the relay of this request was killed while it ran, or so soon afterwards that its line may be missing. */
  wasKilled(client: RecordingClient, { startedAtMs, endedAtMs }: ClientRecord): boolean {
    return this.kills.some(
      ({ relay, atMs }) => this.mayHaveServed(relay, client) && startedAtMs <= atMs && endedAtMs >= atMs - UNWRITTEN_MS,
    );
  }

  private mayHaveServed(relay: RelayReplica, client: RecordingClient): boolean {
    if (client === this.front || client === this.clientOf(relay)) return true;
    return this.withOtherKeys.some((other) => other.client === client && other.relay === relay);
  }

  /** Waits until every request is in a request log, then checks I1–I4 and I6 over everything so far. */
  async expectSound(): Promise<void> {
    const processes = this.relays.flatMap((relay) => relay.processes);
    const clients = [...this.direct, this.front, ...this.withOtherKeys.map(({ client }) => client)];
    const records = clients.flatMap((client) => client.records);
    const unrecorded = new Set(
      clients.flatMap((client) =>
        client.records.filter((record) => this.wasKilled(client, record)).map(({ marker }) => marker),
      ),
    );
    const account = this.cluster.front.credentials.account_id;
    const named = records.filter(({ marker }) => !unrecorded.has(marker)).flatMap(({ requestId }) => requestId ?? []);
    await eventually(
      'the requests are in the request logs',
      () => {
        const { endedAtMs } = readRelayLog(processes, account);
        return named.every((id) => endedAtMs.has(id));
      },
      REQUEST_LOG_WITHIN_MS,
    ).catch(() => undefined);
    const { lines, retried, accidents } = readRelayLog(processes, account);
    expect(
      violationsOf({ clients: records, runs: this.engine.runs, requestLog: lines, retried, accidents, unrecorded }),
    ).toEqual([]);
  }

  /** The observable part of I5. */
  async expectNothingHeld(): Promise<void> {
    await eventually('no engine runs', () => this.engine.open.length === 0, REQUEST_LOG_WITHIN_MS);
    for (const relay of this.cluster.running)
      await eventually(`${relay.name} has no request left`, async () => {
        const { data } = await relay.manage<{ data: readonly unknown[] }>('GET', '/requests/running');
        return data.length === 0;
      });
  }

  async end(): Promise<void> {
    await this.fleet.stop();
    await this.engine.stop();
    await this.cluster.stop();
  }
}
