/**
 * Several relays behind nginx, on one Postgres server, with a bus: the same as `deploy/compose.yaml`, on bare processes.
 * `npm run cluster` starts it for people.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stoppableDatabase, type PostgresServer } from '../db/stoppable-database.js';
import { freePort } from '../network/free-port.js';
import { AddressClient, type RelayClient } from '../process/relay-client.js';
import { NatsServer } from './nats-server.js';
import { Nginx } from './nginx.js';
import { readCredentials, RelayReplica } from './relay-replica.js';

export interface ClusterOptions {
  readonly replicas?: number;
  /** Port of nginx; absent: any free one. */
  readonly port?: number;
  /** Of every relay. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of one relay, counted from 1. */
  readonly ownEnv?: (
    index: number,
    nats: NatsServer,
    database: PostgresServer,
  ) => Promise<Readonly<Record<string, string>>>;
  /** Called before each step that takes long. */
  readonly onStep?: (step: string) => void;
}

export class RelayCluster {
  readonly relays: RelayReplica[] = [];
  front!: RelayClient;
  database!: PostgresServer;
  nats!: NatsServer;
  /** What has to be stopped, the newest first. */
  private readonly started: (() => Promise<void>)[] = [];

  private constructor(private readonly folder: string) {
    this.started.push(() => rm(folder, { recursive: true, force: true }));
  }

  /** @throws Error that names the Debian package which is missing */
  static async start(options: ClusterOptions = {}): Promise<RelayCluster> {
    const cluster = new RelayCluster(await mkdtemp(path.join(tmpdir(), 'ferry-cluster-')));
    try {
      await cluster.launch(options);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  get running(): RelayReplica[] {
    return this.relays.filter(({ running }) => running);
  }

  async stop(): Promise<void> {
    for (const stop of this.started.splice(0).reverse()) await stop();
  }

  private async launch({
    replicas = 3,
    port,
    env = {},
    ownEnv = () => Promise.resolve({}),
    onStep = () => undefined,
  }: ClusterOptions): Promise<void> {
    onStep('Postgres');
    const database = await stoppableDatabase();
    this.started.push(() => database.remove());
    if (database.kind !== 'postgres') throw new Error('Postgres is not installed: apt-get install postgresql');
    this.database = database;

    onStep('nats-server');
    this.nats = await NatsServer.start();
    this.started.push(() => this.nats.kill());

    const publicPort = port ?? (await freePort());
    const credentialsFile = path.join(this.folder, 'credentials.json');
    for (let index = 1; index <= replicas; index += 1) {
      const name = `relay-${index}`;
      const linkUrl = `http://127.0.0.1:${publicPort}/${name}`;
      const relay = new RelayReplica({
        name,
        linkUrl,
        port: await freePort(),
        dataDirectory: path.join(this.folder, name),
        env: {
          ...this.database.env,
          NATS_URL: this.nats.address,
          FERRY_BASE_URL: `http://127.0.0.1:${publicPort}`,
          FERRY_LINK_URL: linkUrl,
          FERRY_TRUSTED_PROXIES: '127.0.0.1',
          // One alone: each start without valid credentials replaces those of another.
          ...(index === 1 && { FERRY_BOOTSTRAP_CREDENTIALS_FILE: credentialsFile }),
          ...env,
          ...(await ownEnv(index, this.nats, this.database)),
        },
      });
      onStep(name);
      this.relays.push(relay);
      this.started.push(() => this.end(relay));
      // One after the other: the first one creates the schema.
      await relay.launch();
    }

    onStep('nginx');
    const nginx = await Nginx.start(
      this.relays.map((relay) => relay.port),
      publicPort,
    );
    this.started.push(() => nginx.stop());
    this.front = new AddressClient(await readCredentials(credentialsFile));
    for (const relay of this.relays) relay.credentials = this.front.credentials;
  }

  private async end(relay: RelayReplica): Promise<void> {
    if (relay.processes.length === 0 || !relay.running) return;
    relay.resume();
    await relay.process.stop('SIGTERM', 60_000);
  }
}
