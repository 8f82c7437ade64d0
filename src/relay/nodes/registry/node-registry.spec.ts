import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  NodeRegistryHarness,
  account,
  hello,
  inventory,
  nodeId,
  otherAccount,
  status,
  type HarnessLink,
} from '../../../../test/support/relay/node-registry.harness.js';
import { createClusterId, createNodeId } from '../../../kernel/ids.js';
import type { OpenMessage } from '../../../link/messages.js';
import type { CheckedResponse } from './checked-response.js';

let harness: NodeRegistryHarness;

beforeEach(() => {
  harness = new NodeRegistryHarness();
});

describe('NodeRegistry', () => {
  it('NodeRegistry has a node online from its HELLO on, in its own account only', () => {
    const { connection } = harness.dial();
    expect(harness.online()).toEqual([]);
    connection.onHello(hello('p'));
    expect(harness.online()).toEqual([nodeId]);
    expect(harness.online(otherAccount)).toEqual([]);
    expect(harness.registry.find(otherAccount, nodeId)).toBeUndefined();
    expect(harness.changes).toEqual(['connected']);
  });

  it('answers HELLO with the limits that hold, and the name of the node', () => {
    const { session, connection } = harness.connect('p');
    expect(session.readyWith).toEqual({
      protocol_version: 1,
      relay_version: '0.1.0',
      epoch: connection.epoch,
      relay_time_ms: harness.clock.wallMs(),
      node_name: 'laptop',
      limits: { max_streams: 8, to_node_window_bytes: 1, to_relay_window_bytes: 1, max_outstanding_bytes: 1 },
      features: [],
      replica: { id: expect.stringMatching(/^rep_/), link_address: null, max_links: 3 },
      replicas: { live: 1, link_addresses: [] },
    });
  });

  it('NodeRegistry does not admit a node that speaks other versions only', () => {
    const { connection, session } = harness.dial();
    connection.onHello(hello('p', { protocol_versions: [2, 3] }));
    expect(session.calls).toEqual(['close 4426 link version 1 is needed']);
    expect(harness.online()).toEqual([]);
  });

  it('removes a node whose link has ended', () => {
    const { connection } = harness.connect('p');
    connection.onClosed('peer_closed', '');
    expect(harness.online()).toEqual([]);
    expect(harness.changes).toEqual(['connected', 'disconnected']);
  });

  it('emits and exposes inventory and status', () => {
    const { connection } = harness.connect('p');
    connection.onInventory(inventory(1, 'a'));
    connection.onStatus(status({ memory_free_bytes: 5 }));
    expect(harness.changes).toEqual(['connected', 'inventory', 'status']);
    const node = harness.registry.find(account, nodeId);
    expect([...(node?.models.keys() ?? [])]).toEqual(['a']);
    expect(node).toMatchObject({
      name: 'laptop',
      roundTripMs: 12,
      status: { memory_free_bytes: 5 },
      acceptsWork: true,
    });
  });

  it.each([
    ['is paused', ({ connection }: HarnessLink) => connection.onStatus(status({ paused: true }))],
    ['drains', ({ connection }: HarnessLink) => connection.onStatus(status({ draining: true }))],
    [
      'said GOAWAY',
      ({ connection, session }: HarnessLink) => {
        session.goAway({ reason: 'draining' });
        connection.onGoAway();
      },
    ],
    [
      'is slower than what it is sent',
      ({ connection, session }: HarnessLink) => {
        session.bufferedBytes = 1_001;
        connection.tick();
      },
    ],
  ])('offers no work to a node that %s, and emits the change', (_name, change) => {
    const dialled = harness.connect('p');
    change(dialled);
    expect(harness.registry.find(account, nodeId)?.acceptsWork).toBe(false);
    expect(harness.changes).toEqual(['connected', 'status']);
  });

  it('offers no work to a node with a send backlog until it has caught up', () => {
    const { connection, session } = harness.connect('p');
    session.bufferedBytes = 1_001;
    expect(connection.acceptsWork).toBe(false);
    session.bufferedBytes = 1_000;
    expect(connection.acceptsWork).toBe(true);
  });

  it('emits when a node has caught up', () => {
    const { connection, session } = harness.connect('p');
    session.bufferedBytes = 1_001;
    connection.tick();
    session.bufferedBytes = 0;
    connection.tick();
    connection.tick();
    expect(connection.acceptsWork).toBe(true);
    expect(harness.changes).toEqual(['connected', 'status', 'status']);
  });

  it('keeps a node whose link is full, and emits when it is and when it has room again', () => {
    const { connection, session } = harness.connect('p');
    session.freeStreams = 0;
    connection.tick();
    connection.tick();
    expect([connection.acceptsWork, connection.freeStreams]).toEqual([true, 0]);
    session.freeStreams = 1;
    connection.tick();
    expect(harness.changes).toEqual(['connected', 'status', 'status']);
  });

  it("applies the owner's changes at once on the same link, also to a handshake under way", () => {
    const settings = { name: 'new name', clusterId: createClusterId(), paused: true };
    harness.registry.adopt(account, nodeId, settings);
    const { connection } = harness.connect('p');
    expect(connection.acceptsWork).toBe(false);
    connection.onInventory(inventory(1, 'a'));
    harness.registry.adopt(account, nodeId, { ...settings, paused: false });
    expect([connection.name, connection.clusterId, connection.acceptsWork]).toEqual([
      'new name',
      settings.clusterId,
      true,
    ]);
    expect(harness.changes.slice(-2)).toEqual(['inventory', 'status']);
  });

  describe('when a node misbehaves', () => {
    it.each([
      ['reports a change to nothing', { ...inventory(2), full: false }, 'inventory out_of_order'],
      [
        'reports too many models',
        inventory(1, ...Array.from({ length: 11 }, (_, index) => `m${index}`)),
        'inventory too_many_models',
      ],
    ])('closes only its link: it %s', (_name, message, reason) => {
      const bad = harness.connect('p');
      const good = harness.connect('p', { id: createNodeId() });
      bad.connection.onInventory(message);
      expect(bad.session.calls.at(-1)).toBe(`close 1002 ${reason}`);
      expect(good.session.calls).toEqual(['ready']);
      expect(harness.online()).toEqual([good.connection.nodeId]);
    });

    it('closes its link when it never stops reporting', () => {
      const { connection, session } = harness.connect('p');
      for (let report = 0; report < 2_400; report += 1) connection.onStatus(status());
      expect(session.calls).toEqual(['ready']);
      connection.onStatus(status());
      expect(session.calls.at(-1)).toBe('close 1002 too many reports');
    });

    it('tolerates a node that reports once a second for hours', () => {
      const { connection, session } = harness.connect('p');
      for (let second = 0; second < 10_000; second += 1) {
        harness.clock.advance(1_000);
        connection.onStatus(status());
      }
      expect(session.calls).toEqual(['ready']);
    });
  });

  it('sends GOAWAY to every node when the relay drains, spread over time', () => {
    const one = harness.connect('p');
    const other = harness.connect('p', { id: createNodeId() });
    const nameless = harness.dial({ id: createNodeId() });
    harness.registry.drain(() => 5_000);
    for (const { session } of [one, other]) expect(session.calls.at(-1)).toBe('goaway draining');
    expect(nameless.session.calls).toEqual(['close 1001 draining']);
    expect(harness.registry.draining).toBe(true);

    other.session.openStreams = 2;
    expect(harness.registry.openStreams).toBe(2);
    harness.registry.closeAll();
    for (const { session } of [one, other]) expect(session.calls.at(-1)).toBe('close 1001 draining');
    expect(harness.online()).toEqual([]);
  });

  it('ticks every link, also before HELLO', () => {
    const [one, other] = [harness.connect('p'), harness.dial({ id: createNodeId() })];
    harness.registry.tick();
    expect([one.session.calls, other.session.calls]).toEqual([['ready', 'tick'], ['tick']]);
  });

  it('sends a request over the link of the node', () => {
    const { connection, session } = harness.connect('p');
    const stream = connection.open({ request_id: 'req_1' } as OpenMessage, Buffer.alloc(0), {
      validate: () => undefined,
    } as unknown as CheckedResponse);
    expect(stream.id).toBe(1);
    expect(session.calls.at(-1)).toBe('open req_1');
  });
});
