/** Idle nodes with one link to the only relay, and idle nodes with a link to each of three: CPU and memory of all relays together, memory of the nodes. */
import { setTimeout as delay } from 'node:timers/promises';
import { startProgram, stop } from '../child.js';
import { Conversation } from '../conversation.js';
import { enrolNodes } from '../fleet/enrol-nodes.js';
import type { IdleNodesCommand } from '../fleet/idle-nodes.program.js';
import { referencedBytes } from '../measure/heap.js';
import { RelaySet } from './relay-set.js';

const SIZES = [1, 3];
const NODES = 1_000;
/** Connected before the measurement, so that compiled code and other costs of the first nodes are not counted. */
const WARM_UP_NODES = 200;
/** After links have changed, relays store reports, and for a minute they collect what the handshakes left. */
const REST_MS = { before: 20_000, after: 75_000 };
/** One interval of pings that a quiet link needs, and more. */
const WINDOW_MS = 40_000;

interface IdleCost {
  /** Resident bytes of all relays for each node. */
  readonly residentBytes: number;
  /** After a collection of all garbage: of all relays, and of the node itself. */
  readonly relayHeapBytes: number;
  readonly nodeHeapBytes: number;
  /** CPU of all relays in a second, for each node. */
  readonly microsPerSecond: number;
}

export async function linkCost(): Promise<Readonly<Record<string, IdleCost>>> {
  const costs: Record<string, IdleCost> = {};
  for (const size of SIZES) {
    const set = await RelaySet.start(size);
    set.pin();
    const program = startProgram('fleet/idle-nodes.program.ts', {}, ['--expose-gc']);
    const conversation = new Conversation<IdleNodesCommand, number>(program);
    try {
      const { ids, privateKey } = await enrolNodes(set.databaseUrl, WARM_UP_NODES + NODES);
      const connect = async (part: readonly string[]): Promise<void> => {
        const nodes = { privateKey, ids: part, modelsEach: 1, distinctModels: false };
        for (const { baseUrl } of set.relays) await conversation.ask({ kind: 'connect', relayUrl: baseUrl, ...nodes });
      };
      await connect(ids.slice(0, WARM_UP_NODES));
      const before = await atRest(set, conversation, REST_MS.before);
      await connect(ids.slice(WARM_UP_NODES));
      const after = await atRest(set, conversation, REST_MS.after);
      const perNode = (of: (state: AtRest) => number): number => (of(after) - of(before)) / NODES;
      costs[size] = {
        residentBytes: perNode(({ resident }) => resident),
        relayHeapBytes: perNode(({ relayHeap }) => relayHeap),
        nodeHeapBytes: perNode(({ nodeHeap }) => nodeHeap),
        microsPerSecond: perNode(({ cpuShare }) => cpuShare) * 1e6,
      };
      process.stderr.write(`${size}: ${JSON.stringify(costs[size])}\n`);
    } finally {
      await stop(program);
      await set.stop();
    }
  }
  return costs;
}

interface AtRest {
  readonly cpuShare: number;
  readonly resident: number;
  readonly relayHeap: number;
  readonly nodeHeap: number;
}

async function atRest(
  set: RelaySet,
  conversation: Conversation<IdleNodesCommand, number>,
  restMs: number,
): Promise<AtRest> {
  await delay(restMs);
  const cpuShare = await set.cpuShare(WINDOW_MS);
  const resident = set.usage.residentBytes;
  let relayHeap = 0;
  for (const { pid } of set.relays) relayHeap += await referencedBytes(pid);
  return { cpuShare, resident, relayHeap, nodeHeap: await conversation.ask({ kind: 'memory' }) };
}
