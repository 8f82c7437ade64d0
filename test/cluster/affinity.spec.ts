/** Two relays choose the same node for a conversation without telling each other, also after both have restarted. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { TestNode } from '../support/process/test-node.js';
import { RelayCluster } from '../support/replicas/relay-cluster.js';
import type { RelayReplica } from '../support/replicas/relay-replica.js';

const CONVERSATIONS = Array.from({ length: 12 }, (_, number) => `Question ${number}`);

interface NodeFacts {
  readonly online: boolean;
  readonly round_trip_ms: number | null;
  readonly models: readonly unknown[];
  readonly engines: readonly { readonly slots_used: number }[];
}

/** On a busy computer a node answers pings late for some seconds. With more between two of them there is no near-tie, and the quicker one is right. */
const NEAR_MS = 20;

const isCompared = ({ online, round_trip_ms: roundTripMs, models, engines }: NodeFacts): boolean =>
  online &&
  roundTripMs !== null &&
  roundTripMs < NEAR_MS &&
  models.length > 0 &&
  engines.every(({ slots_used: used }) => used === 0);

describe('two relays with two nodes', () => {
  let cluster: RelayCluster;
  const engines: FakeEngine[] = [];
  const nodes: TestNode[] = [];

  beforeAll(async () => {
    cluster = await RelayCluster.start({
      replicas: 2,
      env: { FERRY_LINK_UPGRADES_PER_MINUTE: '1000', FERRY_LINK_PING_INTERVAL_MS: '1000' },
    });
    for (const name of ['one', 'other']) {
      const engine = await FakeEngine.start();
      engine.respond = async (call) => {
        await delay(50);
        call.completion(name);
      };
      engines.push(engine);
      nodes.push(
        await TestNode.start(cluster.front, {
          name,
          engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 8 }],
        }),
      );
    }
    await everyNodeIsCompared();
  }, 120_000);

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await Promise.all(engines.map((engine) => engine.stop()));
    await cluster.stop();
  }, 60_000);

  /** Linked, measured and idle at every relay: a node that another relay keeps busy costs more, and a relay learns 200 ms later that it is not. */
  const everyNodeIsCompared = async (): Promise<void> => {
    for (const relay of cluster.relays)
      await eventually(
        `${relay.name} has both nodes, with their round trips and free`,
        async () => {
          const { data } = await relay.manage<{ data: readonly NodeFacts[] }>('GET', '/nodes');
          return relay.linkedNodes === 2 && data.filter(isCompared).length === 2;
        },
        60_000,
      );
  };

  /** Names the node, because each engine answers with the name of its node. */
  const nodeOf = async (relay: RelayReplica, content: string): Promise<string | undefined> => {
    const response = await relay.chat({ model: 'fake', max_tokens: 1, messages: [{ role: 'user', content }] });
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
    return choices[0]?.message.content;
  };
  const nodesOf = async (relay: RelayReplica): Promise<(string | undefined)[]> => {
    await everyNodeIsCompared();
    const found: (string | undefined)[] = [];
    for (const conversation of CONVERSATIONS) found.push(await nodeOf(relay, conversation));
    return found;
  };

  it('two relays with two nodes send a conversation to one node, also after a restart of both', async () => {
    const [first, second] = cluster.relays;
    // Both nodes are measured at both relays before: predictions for a node that is not are no near-ties.
    await Promise.all(
      cluster.relays.flatMap((relay) => Array.from({ length: 14 }, (_, number) => nodeOf(relay, `Warm-up ${number}`))),
    );
    const chosen = await nodesOf(first!);
    expect(new Set(chosen)).toEqual(new Set(['one', 'other']));
    expect(await nodesOf(second!)).toEqual(chosen);
    for (const relay of cluster.relays) {
      await relay.process.stop('SIGTERM', 60_000);
      await relay.launch();
    }
    for (const relay of cluster.relays) expect(await nodesOf(relay)).toEqual(chosen);
  }, 120_000);
});
