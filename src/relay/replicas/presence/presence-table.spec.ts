import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { createInstanceId, createReplicaId, type AccountId, type ClusterId, type NodeId } from '../../../kernel/ids.js';
import { engineLoads, engineNumber, noLoads, type EngineLoads } from './engine-loads.js';
import { LocalPresence } from './local-presence.js';
import type { NodePresence } from './node-presence.js';
import { LOADS_PER_MESSAGE, NODES_PER_MESSAGE, type Delta } from './presence-messages.js';
import { PresenceTable } from './presence-table.js';

const account = 'acc_1' as AccountId;
const nodeIdOf = (n: number): NodeId => `nd_${String(n).padStart(32, '0')}` as NodeId;
const stateOf = (n: number, extra: Partial<NodePresence> = {}): [NodeId, NodePresence] => [
  nodeIdOf(n),
  {
    nodeId: nodeIdOf(n),
    accountId: account,
    clusterId: 'cl_1' as ClusterId,
    epoch: 1,
    availability: 'free',
    modelsRevision: 0,
    ...extra,
  },
];

let clock: ManualClock;
let table: PresenceTable;
let events: string[];

/** Another replica, with the messages that it sends. */
class Sender {
  readonly id = createReplicaId();
  readonly local: LocalPresence;
  constructor(
    readonly instanceId = createInstanceId(),
    linkAddress?: string,
  ) {
    this.local = new LocalPresence(instanceId, linkAddress);
  }

  heartbeat(state: 'serving' | 'draining' | 'stopped' = 'serving'): boolean {
    return table.onHeartbeat(this.id, this.local.heartbeat(state));
  }

  change(...changes: (readonly [NodeId, NodePresence | null])[]): boolean {
    return this.receive(this.tell(...changes)).some(Boolean);
  }

  tell(...changes: (readonly [NodeId, NodePresence | null])[]): Delta[] {
    return this.local.update(changes);
  }

  receive(deltas: readonly Delta[]): boolean[] {
    return deltas.map((delta) => table.onDelta(this.id, delta));
  }

  snapshot(): boolean {
    return this.local
      .snapshot()
      .map((part) => table.onSnapshot(this.id, part))
      .some(Boolean);
  }

  get view() {
    return [...table.replicas()].find(({ replicaId }) => replicaId === this.id);
  }
}

const found = (n: number): readonly unknown[] =>
  table.find(account, nodeIdOf(n)).map(({ replicaId, availability, modelsRevision, epoch }) => ({
    replicaId,
    availability,
    modelsRevision,
    epoch,
  }));
const free = ({ id }: Sender, extra: object = {}) => ({
  replicaId: id,
  availability: 'free',
  modelsRevision: 0,
  epoch: 1,
  ...extra,
});

beforeEach(() => {
  clock = new ManualClock();
  events = [];
  table = new PresenceTable(
    clock,
    { presenceSilentAfterMs: 15_000, presenceForgetAfterMs: 60_000 },
    (_, event) => void events.push(event),
  );
});

describe('the presence of nodes at another replica', () => {
  let sender: Sender;
  beforeEach(() => {
    sender = new Sender();
    expect(sender.heartbeat()).toBe(false);
  });

  it('follows its messages', () => {
    expect(sender.change(stateOf(1), stateOf(2))).toBe(false);
    expect(found(1)).toEqual([free(sender)]);
    expect([...table.nodesIn(account)]).toEqual([nodeIdOf(1), nodeIdOf(2)]);

    sender.change(stateOf(1, { availability: 'full' }), stateOf(2, { modelsRevision: 7 }));
    expect([found(1), found(2)]).toEqual([
      [free(sender, { availability: 'full' })],
      [free(sender, { modelsRevision: 7 })],
    ]);

    sender.change([nodeIdOf(1), null], stateOf(2, { epoch: 2, availability: 'unavailable', modelsRevision: 7 }));
    expect(found(1)).toEqual([]);
    expect(found(2)).toEqual([free(sender, { epoch: 2, availability: 'unavailable', modelsRevision: 7 })]);
    expect(sender.heartbeat()).toBe(false);
    expect(sender.view).toMatchObject({ complete: true, nodes: 1 });
  });

  it('belongs to an account', () => {
    sender.change(stateOf(1, { accountId: 'acc_2' as AccountId }));
    expect(found(1)).toEqual([]);
    expect([...table.nodesIn(account)]).toEqual([]);
    expect(table.find('acc_2' as AccountId, nodeIdOf(1))).toHaveLength(1);
  });

  it('the presence of nodes at another replica is one message for a batch, and none when nothing has changed', () => {
    expect(sender.tell(stateOf(1), stateOf(2), stateOf(3))).toHaveLength(1);
    expect(sender.tell(stateOf(1), stateOf(2), [nodeIdOf(9), null])).toEqual([]);
    const [delta] = sender.tell(stateOf(1, { availability: 'full' }), stateOf(3, { availability: 'full' }));
    expect(delta).toEqual({
      sequence: 2,
      down: [],
      up: [],
      free: [],
      full: [1, 3],
      unavailable: [],
      models: [],
      loads: [],
    });
  });

  it('the presence of nodes at another replica is split where one message would be too large', () => {
    const nodes = Array.from({ length: 2 * NODES_PER_MESSAGE + 1 }, (_, n) => stateOf(n));
    const deltas = sender.tell(...nodes);
    expect(deltas.map(({ up }) => up.length)).toEqual([NODES_PER_MESSAGE, NODES_PER_MESSAGE, 1]);
    expect(sender.receive(deltas)).toEqual([false, false, false]);
    expect(sender.view?.nodes).toBe(nodes.length);
  });

  describe('after a lost message', () => {
    beforeEach(() => {
      sender.change(stateOf(1));
      sender.tell(stateOf(2));
    });

    it('is asked for at the next delta, and complete after the snapshot', () => {
      expect(sender.change(stateOf(3))).toBe(true);
      expect(sender.view?.complete).toBe(false);
      expect([found(1).length, found(2).length, found(3).length]).toEqual([1, 0, 0]);
      expect(sender.snapshot()).toBe(false);
      expect([found(1).length, found(2).length, found(3).length]).toEqual([1, 1, 1]);
      expect(sender.change(stateOf(4))).toBe(false);
      expect(sender.view).toMatchObject({ complete: true, nodes: 4 });
    });

    it('is asked for at the next heartbeat', () => {
      expect(sender.heartbeat()).toBe(true);
      sender.snapshot();
      expect(sender.heartbeat()).toBe(false);
      expect(found(2)).toHaveLength(1);
    });

    it('is asked for again until the snapshot comes, ever less often', () => {
      expect(sender.heartbeat()).toBe(true);
      const requestedAtMs: number[] = [];
      for (let ms = 0; ms < 40_000; ms += 500) {
        clock.advance(500);
        if (ms % 5_000 === 0) sender.heartbeat();
        if (table.tick().length > 0) requestedAtMs.push(ms + 500);
      }
      expect(requestedAtMs.length).toBeGreaterThanOrEqual(3);
      expect(requestedAtMs.length).toBeLessThanOrEqual(5);
      sender.snapshot();
      clock.advance(60_000 - 1);
      sender.heartbeat();
      expect(table.tick()).toEqual([]);
    });

    it('loses a snapshot of which a part is missing', () => {
      const nodes = Array.from({ length: 2 * NODES_PER_MESSAGE + 1 }, (_, n) => stateOf(n + 10));
      sender.tell(...nodes);
      expect(sender.heartbeat()).toBe(true);
      const [first, , last] = sender.local.snapshot();
      table.onSnapshot(sender.id, first!);
      clock.advance(1_000);
      expect(table.onSnapshot(sender.id, last!)).toBe(true);
      expect(sender.view?.complete).toBe(false);
      sender.snapshot();
      expect(sender.view).toMatchObject({ complete: true, nodes: nodes.length + 2 });
    });
  });

  it('the presence of nodes at another replica is asked for when the digest differs, although no message is missing', () => {
    const [delta] = sender.tell(stateOf(1), stateOf(2));
    table.onDelta(sender.id, { ...delta!, full: [1] });
    expect(sender.heartbeat()).toBe(true);
    sender.snapshot();
    expect(found(1)).toEqual([free(sender)]);
    expect(sender.heartbeat()).toBe(false);
  });

  it('ignores messages that arrive late', () => {
    const old = sender.tell(stateOf(1));
    const oldHeartbeat = sender.local.heartbeat('draining');
    const oldSnapshot = sender.local.snapshot();
    sender.receive(old);
    sender.change([nodeIdOf(1), null], stateOf(2));
    expect(sender.receive(old)).toEqual([false]);
    expect(table.onHeartbeat(sender.id, oldHeartbeat)).toBe(false);
    for (const part of oldSnapshot) expect(table.onSnapshot(sender.id, part)).toBe(false);
    expect([found(1).length, found(2).length]).toEqual([0, 1]);
    expect(sender.view).toMatchObject({ state: 'serving', complete: true });
  });

  it('the presence of nodes at another replica is not eligible after 15 s of silence, and is forgotten after 60 s', () => {
    sender.change(stateOf(1));
    clock.advance(14_999);
    table.tick();
    expect([found(1).length, table.servingReplicas]).toEqual([1, 1]);
    clock.advance(1);
    table.tick();
    table.tick();
    expect([found(1).length, table.servingReplicas, sender.view?.state]).toEqual([0, 0, 'silent']);
    expect([...table.nodesIn(account)]).toEqual([]);

    clock.advance(40_000);
    expect(sender.heartbeat()).toBe(false);
    expect(found(1)).toHaveLength(1);

    clock.advance(60_000);
    table.tick();
    expect(sender.view).toBeUndefined();
    expect(sender.heartbeat()).toBe(true);
    sender.snapshot();
    expect(found(1)).toHaveLength(1);
    expect(events).toEqual(['joined', 'silent', 'returned', 'forgotten', 'joined']);
  });

  it('the presence of nodes at another replica has a link address that is listed while the replica serves', () => {
    const other = new Sender(createInstanceId(), 'http://relay-2/link');
    sender.heartbeat();
    expect(table.linkAddresses).toEqual([]);
    other.heartbeat();
    expect(table.linkAddresses).toEqual(['http://relay-2/link']);
    other.heartbeat('draining');
    expect(table.linkAddresses).toEqual([]);
    other.heartbeat();
    clock.advance(15_000);
    table.tick();
    expect(table.linkAddresses).toEqual([]);
  });

  it('the presence of nodes at another replica is not eligible while the replica drains, and is forgotten at once when it stops', () => {
    sender.change(stateOf(1));
    sender.heartbeat('draining');
    expect([found(1).length, table.servingReplicas]).toEqual([0, 0]);
    sender.heartbeat('stopped');
    expect(sender.view).toBeUndefined();
    // A message that was under way.
    expect(sender.change(stateOf(2))).toBe(false);
    expect(sender.heartbeat()).toBe(false);
    expect([...table.replicas()]).toEqual([]);
  });

  it('the presence of nodes at another replica is dropped at once when the replica has restarted on its data directory', () => {
    sender.change(stateOf(1), stateOf(2));
    const restarted = new Sender(sender.instanceId);
    restarted.heartbeat();
    expect([found(1).length, found(2).length]).toEqual([0, 0]);
    restarted.change(stateOf(2));
    expect(found(2)).toEqual([free(restarted)]);
    // A late message of the old process.
    expect(sender.heartbeat()).toBe(false);
    expect([...table.replicas()].map(({ replicaId }) => replicaId)).toEqual([restarted.id]);
  });
});

describe('the load of engines at another replica', () => {
  const engine = (name: string, queue_depth: number, foreign_requests = 0) => ({
    ...{ name, slots_total: 1, slots_used: 0, queue_depth, foreign_requests },
  });
  const loadOf = (waiting: number, foreign = 0): EngineLoads => engineLoads([engine('vllm', waiting, foreign)]);
  const known = (n: number): EngineLoads | undefined => table.find(account, nodeIdOf(n))[0]?.loads;
  let sender: Sender;
  const reportLoads = (...loads: (readonly [NodeId, EngineLoads])[]): Delta[] => sender.local.updateLoads(loads);

  beforeEach(() => {
    sender = new Sender();
    sender.heartbeat();
    sender.change(stateOf(1), stateOf(2));
  });

  it('the load of engines at another replica is known to the others until it ends', () => {
    expect(known(1)).toEqual(noLoads);
    sender.receive(reportLoads([nodeIdOf(1), loadOf(3, 4)], [nodeIdOf(2), noLoads]));
    expect(known(1)?.get(engineNumber('vllm'))).toEqual({ waiting: 3, foreign: 4 });
    expect(known(2)).toEqual(noLoads);
    // Slots and models leave it as it is, and so does another link of the node.
    sender.change(stateOf(1, { availability: 'full', modelsRevision: 2 }));
    sender.change(stateOf(1, { epoch: 2 }));
    expect(known(1)).toEqual(loadOf(3, 4));
    sender.receive(reportLoads([nodeIdOf(1), noLoads]));
    expect(known(1)).toEqual(noLoads);
  });

  it('the load of engines at another replica is told for each engine, and only where it has changed', () => {
    sender.receive(reportLoads([nodeIdOf(1), engineLoads([engine('a', 1), engine('b', 2)])]));
    const deltas = reportLoads([nodeIdOf(1), engineLoads([engine('a', 1), engine('b', 5)])], [nodeIdOf(2), noLoads]);
    expect(deltas.map(({ loads }) => loads)).toEqual([[1, engineNumber('b'), 5, 0]]);
    sender.receive(deltas);
    expect(known(1)).toEqual(engineLoads([engine('a', 1), engine('b', 5)]));
    expect(reportLoads([nodeIdOf(1), engineLoads([engine('a', 1), engine('b', 5)])])).toEqual([]);
  });

  it('the load of engines at another replica is split where one message would be too large', () => {
    const engines = Array.from({ length: 64 }, (_, at) => engine(`engine ${at}`, 1));
    const nodes = Array.from({ length: 200 }, (_, n) => stateOf(n + 10));
    sender.change(...nodes);
    const deltas = reportLoads(...nodes.map(([nodeId]) => [nodeId, engineLoads(engines)] as const));
    expect(deltas).toHaveLength(2);
    for (const { loads } of deltas) expect(loads.length).toBeLessThanOrEqual(4 * LOADS_PER_MESSAGE);
    expect(sender.receive(deltas)).toEqual([false, false]);
    for (const [nodeId] of nodes) expect(table.find(account, nodeId)[0]?.loads.size).toBe(64);
  });

  it('the load of engines at another replica is part of a snapshot after a lost message', () => {
    reportLoads([nodeIdOf(1), loadOf(3)]);
    expect(sender.heartbeat()).toBe(true);
    expect(known(1)).toEqual(noLoads);
    sender.snapshot();
    expect(known(1)).toEqual(loadOf(3));
  });

  it('the load of engines at another replica is no reason to ask for a snapshot at a replica of the version before, which drops it', () => {
    for (const delta of reportLoads([nodeIdOf(1), loadOf(3)])) table.onDelta(sender.id, { ...delta, loads: [] });
    sender.change(stateOf(2, { availability: 'full' }));
    expect(sender.heartbeat()).toBe(false);
    expect(sender.view?.complete).toBe(true);
  });
});

describe('a node at several replicas', () => {
  it('a node at several replicas is found at each, and only with its newest process', () => {
    const [one, two, three] = [new Sender(), new Sender(), new Sender()];
    for (const sender of [one, two, three]) sender.heartbeat();
    one.change(stateOf(1, { epoch: 5 }));
    two.change(stateOf(1, { epoch: 5, availability: 'full' }));
    three.change(stateOf(1, { epoch: 4 }));
    expect(found(1)).toEqual([free(one, { epoch: 5 }), free(two, { epoch: 5, availability: 'full' })]);
    three.change(stateOf(1, { epoch: 6 }));
    expect(found(1)).toEqual([free(three, { epoch: 6 })]);
    three.heartbeat('stopped');
    expect(found(1)).toHaveLength(2);
    one.change([nodeIdOf(1), null]);
    two.change([nodeIdOf(1), null]);
    expect([...table.nodesIn(account)]).toEqual([]);
  });
});

it('ignores more replicas than it can hold', () => {
  for (let replicas = 0; replicas < 300; replicas += 1) new Sender().heartbeat();
  expect([...table.replicas()]).toHaveLength(256);
});
