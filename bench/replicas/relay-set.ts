/** Relays on one Postgres server, with a `nats-server` where there are several. Only their own CPU and memory are measured. */
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { NodeFleet } from '../../test/support/replicas/node-fleet.js';
import { RelayGroup } from '../../test/support/process/relay-group.js';
import { TestRelay } from '../../test/support/process/test-relay.js';
import { stoppableDatabase } from '../../test/support/db/stoppable-database.js';
import { connectionsTo } from '../measure/connections.js';
import { usageOf, type ProcessUsage } from '../measure/process-usage.js';
import type { RunningTarget } from '../targets/target.js';

const env = {
  FERRY_LOG_LEVEL: 'warn',
  FERRY_NODES_PER_ACCOUNT: '100000',
  FERRY_LINK_UPGRADES_PER_MINUTE: '100000',
  FERRY_MANAGEMENT_PER_CREDENTIAL_PER_MINUTE: '100000',
  FERRY_MANAGEMENT_PER_ACCOUNT_PER_MINUTE: '100000',
  FERRY_MANAGEMENT_PER_ADDRESS_PER_MINUTE: '100000',
};

export class RelaySet {
  private constructor(
    readonly relays: readonly TestRelay[],
    /** Of the first relay. */
    readonly databaseUrl: string,
    readonly stop: () => Promise<void>,
  ) {}

  /**
   * One relay is started without NATS, as most installations are.
   * @param homes nodes that join the first relay get links to so many
   */
  static async start(count: number, homes = count): Promise<RelaySet> {
    if (count > 1) {
      const group = await RelayGroup.start(count, env, homes);
      await group.connected();
      return new RelaySet(group.relays, urlOf(group.database.env), () => group.stop());
    }
    const database = await stoppableDatabase();
    const relay = await TestRelay.start({ database: 'embedded', env: { ...database.env, ...env } });
    return new RelaySet([relay], urlOf(database.env), async () => {
      await relay.stop();
      await database.remove();
    });
  }

  /** Relays that know nothing of each other: a database each, no NATS. What they cost more than one is what a shared core costs. */
  static async startApart(count: number): Promise<RelaySet> {
    const first = await RelaySet.start(1);
    const sets = [first];
    const stop = async (): Promise<void> => {
      for (const set of sets.reverse()) await set.stop();
    };
    try {
      while (sets.length < count) sets.push(await RelaySet.start(1));
    } catch (error) {
      await stop();
      throw error;
    }
    return new RelaySet(
      sets.map((set) => set.first),
      first.databaseUrl,
      stop,
    );
  }

  pin(): void {
    for (const relay of this.relays) execFileSync('taskset', ['-a', '-c', '-p', '0', String(relay.pid)]);
  }

  get first(): TestRelay {
    const [first] = this.relays;
    if (first === undefined) throw new Error('there is no relay');
    return first;
  }

  get usage(): ProcessUsage {
    return usageOf(this.relays.map(({ pid }) => pid));
  }

  /** Of a core, all relays together. */
  async cpuShare(overMs: number): Promise<number> {
    const [before, beganMs] = [this.usage.cpuSeconds, performance.now()];
    await delay(overMs);
    return (this.usage.cpuSeconds - before) / ((performance.now() - beganMs) / 1_000);
  }

  /** @param counted the relays whose CPU is measured */
  target(relay: TestRelay, counted: readonly TestRelay[]): RunningTarget {
    return {
      url: `${relay.baseUrl}/v1/chat/completions`,
      headers: { authorization: `Bearer ${relay.apiKey}` },
      relayPids: counted.map(({ pid }) => pid),
      nodePids: [],
      stop: () => Promise.resolve(),
    };
  }
}

function urlOf({ DATABASE_URL: url }: Readonly<Record<string, string>>): string {
  if (url === undefined) throw new Error('Postgres is not installed: apt-get install postgresql');
  return url;
}

export async function serves(relay: TestRelay): Promise<boolean> {
  const response = await relay.chat({ model: 'bench', messages: [{ role: 'user', content: 'hi' }] });
  await response.body?.cancel();
  return response.ok;
}

export const linksTo = (relay: TestRelay, fleet: NodeFleet): number =>
  connectionsTo(Number(new URL(relay.baseUrl).port), fleet.pid);
