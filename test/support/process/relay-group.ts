/** Several relays on one Postgres database, with a `nats-server` between them. */
import { stoppableDatabase, type StoppableDatabase } from '../db/stoppable-database.js';
import { eventually } from '../clock/eventually.js';
import { freePort } from '../network/free-port.js';
import { NatsServer } from '../replicas/nats-server.js';
import { TestRelay } from './test-relay.js';
import { workersOfRelays } from './workers-of-relays.js';

export class RelayGroup {
  private constructor(
    readonly database: StoppableDatabase,
    readonly nats: NatsServer,
    readonly relays: readonly TestRelay[],
  ) {}

  /**
   * All have the same account. Each command-line token replaces the one before, so all use the newest.
   * @param homes only so many relays have a link address: nodes that join one of these never find the others
   */
  static async start(
    count: number,
    env: Readonly<Record<string, string>> = {},
    homes: number = count,
  ): Promise<RelayGroup> {
    const [database, nats] = await Promise.all([stoppableDatabase(), NatsServer.start()]);
    if (database.kind !== 'postgres') throw new Error('Postgres is not installed: apt-get install postgresql');
    const relays: TestRelay[] = [];
    while (relays.length < count) {
      const port = await freePort();
      const own = relays.length < homes ? { FERRY_LINK_URL: `http://127.0.0.1:${port}` } : {};
      relays.push(
        await TestRelay.start({
          database: 'embedded',
          port,
          env: { ...database.env, ...workersOfRelays(), NATS_URL: nats.address, ...own, ...env },
        }),
      );
    }
    const newest = relays.at(-1)?.credentials;
    for (const relay of relays) if (newest) relay.credentials = { ...newest, base_url: relay.baseUrl };
    return new RelayGroup(database, nats, relays);
  }

  at(index: number): TestRelay {
    const relay = this.relays[index];
    if (relay === undefined) throw new Error(`there is no relay ${index}`);
    return relay;
  }

  /** Names of degraded parts, by relay. */
  degraded(): Promise<(readonly string[])[]> {
    return Promise.all(
      this.relays.map(async ({ baseUrl }) => {
        const response = await fetch(`${baseUrl}/readyz`);
        if (response.status !== 200) throw new Error(`/readyz: ${response.status}`);
        return ((await response.json()) as { degraded?: string[] }).degraded ?? [];
      }),
    );
  }

  async connected(): Promise<void> {
    await eventually('the bus is up', async () => (await this.degraded()).every((parts) => parts.length === 0), 15_000);
  }

  async stop(): Promise<void> {
    await Promise.all(this.relays.map((relay) => relay.stop()));
    await this.nats.kill();
    await this.database.remove();
  }
}
