/** Idle nodes with one link to the only relay, and idle nodes with a link to each of three: CPU and memory of all relays together. */
import { setTimeout as delay } from 'node:timers/promises';
import { startProgram, stop } from '../child.js';
import { Conversation } from '../conversation.js';
import { enrolNodes } from '../fleet/enrol-nodes.js';
import type { IdleNodesCommand } from '../fleet/idle-nodes.program.js';
import { RelaySet } from './relay-set.js';

const SIZES = [1, 3];
const NODES = 1_000;
/** After links have changed, relays store reports, and for a minute they collect what the handshakes left. */
const REST_MS = { before: 20_000, after: 75_000 };
/** One interval of pings that a quiet link needs, and more. */
const WINDOW_MS = 40_000;

interface IdleCost {
  readonly bytesPerNode: number;
  /** CPU of all relays in a second, for each node. */
  readonly microsPerSecond: number;
}

export async function linkCost(): Promise<Readonly<Record<string, IdleCost>>> {
  const costs: Record<string, IdleCost> = {};
  for (const size of SIZES) {
    const set = await RelaySet.start(size);
    set.pin();
    const program = startProgram('fleet/idle-nodes.program.ts');
    try {
      const { ids, privateKey } = await enrolNodes(set.databaseUrl, NODES);
      const before = await atRest(set, REST_MS.before);
      const conversation = new Conversation<IdleNodesCommand, number>(program);
      for (const relay of set.relays)
        await conversation.ask({
          kind: 'connect',
          relayUrl: relay.baseUrl,
          privateKey,
          ids,
          modelsEach: 1,
          distinctModels: false,
        });
      const after = await atRest(set, REST_MS.after);
      costs[size] = {
        bytesPerNode: (after.bytes - before.bytes) / NODES,
        microsPerSecond: ((after.cpuShare - before.cpuShare) * 1e6) / NODES,
      };
      process.stderr.write(`${size}: ${JSON.stringify(costs[size])}\n`);
    } finally {
      await stop(program);
      await set.stop();
    }
  }
  return costs;
}

async function atRest(set: RelaySet, restMs: number): Promise<{ bytes: number; cpuShare: number }> {
  await delay(restMs);
  const cpuShare = await set.cpuShare(WINDOW_MS);
  return { bytes: set.usage.residentBytes, cpuShare };
}
