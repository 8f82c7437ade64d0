import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  NodeRegistryHarness,
  account,
  hello,
  inventory,
  nodeId,
  status,
} from '../../../../test/support/relay/node-registry.harness.js';
import { createNodeId } from '../../../kernel/ids.js';

let harness: NodeRegistryHarness;

beforeEach(() => {
  Logger.overrideLogger(false);
  harness = new NodeRegistryHarness();
});

describe('NodeRegistry', () => {
  it('remembers the last links of a node and why they ended, and no more', () => {
    const { connection } = harness.connect('p');
    harness.registry.leave(connection, 'dead', `no frame\u001b[2J${'x'.repeat(500)}`);
    const [connected, left] = harness.registry.history.of(nodeId);
    expect(connected).toMatchObject({ event: 'connected', reason: null });
    expect(left).toMatchObject({ event: 'disconnected', reason: 'dead' });
    expect(left?.detail).not.toContain('\u001b');
    expect(left?.detail.length).toBeLessThanOrEqual(220);
    for (let round = 0; round < 30; round += 1) {
      harness.registry.leave(harness.connect(`p${String(round)}`).connection, 'peer_closed', '');
    }
    expect(harness.registry.history.of(nodeId)).toHaveLength(20);
  });

  it('remembers whether a node said that it leaves', () => {
    const stopped = harness.connect('p').connection;
    stopped.onGoAway();
    harness.registry.leave(stopped, 'peer_closed', '');
    harness.registry.leave(harness.connect('q').connection, 'peer_closed', '');
    const left = harness.registry.history.of(nodeId).filter(({ event }) => event === 'disconnected');
    expect(left.map(({ announced }) => announced)).toEqual([true, false]);
  });

  describe('with a second link of the same process', () => {
    it('moves new work without a gap, and lets the old link finish', () => {
      const older = harness.connect('p');
      older.connection.onInventory(inventory(1, 'a'));
      older.connection.onStatus(status({ memory_free_bytes: 5 }));
      older.session.openStreams = 1;
      harness.changes.length = 0;

      const newer = harness.connect('p');
      expect(harness.registry.find(account, nodeId)).toBe(newer.connection);
      expect(harness.changes).toEqual(['connected', 'inventory']);
      expect([...newer.connection.models.keys()]).toEqual(['a']);
      expect(newer.connection.status).toMatchObject({ memory_free_bytes: 5 });
      expect(older.connection.acceptsWork).toBe(false);

      older.connection.tick();
      expect(older.session.calls).toEqual(['ready', 'goaway superseded', 'tick']);
      older.session.openStreams = 0;
      older.connection.tick();
      expect(older.session.calls.at(-1)).toBe('close 1000 superseded');
      expect(harness.online()).toEqual([nodeId]);
      expect(harness.changes).toEqual(['connected', 'inventory']);
    });

    it('ignores reports of the old link', () => {
      const older = harness.connect('p');
      harness.connect('p');
      harness.changes.length = 0;
      older.connection.onInventory(inventory(1, 'stale'));
      older.connection.onStatus(status());
      expect(harness.changes).toEqual([]);
      expect(harness.registry.find(account, nodeId)?.models.size).toBe(0);
    });
  });

  describe('with a link of another process', () => {
    it('ends the old link and starts with empty state', () => {
      const older = harness.connect('p');
      older.connection.onInventory(inventory(1, 'a'));
      const newer = harness.connect('q');
      expect(older.session.calls).toEqual(['ready', 'goaway superseded', 'close 4409 superseded']);
      expect(harness.registry.find(account, nodeId)).toBe(newer.connection);
      expect(newer.connection.models.size).toBe(0);
      expect(harness.changes).toEqual(['connected', 'inventory', 'disconnected', 'connected']);
    });

    it('refuses a late HELLO of an earlier handshake', () => {
      const slow = harness.dial();
      harness.connect('p');
      slow.connection.onHello(hello('q'));
      expect(slow.session.calls).toEqual(['close 4409 superseded']);
      expect(harness.changes).toEqual(['connected']);
    });

    it('refuses both when they keep competing, with Retry-After', () => {
      const links = ['p', 'q', 'p', 'q', 'p'].map((processId) => harness.connect(processId));
      expect(links.map(({ session }) => session.calls.at(-1)).slice(-2)).toEqual([
        'close 4409 same_identity_twice',
        'close 4409 same_identity_twice',
      ]);
      expect(harness.online()).toEqual([]);
      expect(harness.changes.at(-1)).toBe('disconnected');
      expect(harness.registry.conflictSeconds(nodeId)).toBe(300);
      harness.clock.advance(300_000);
      expect(harness.registry.conflictSeconds(nodeId)).toBeUndefined();
    });

    it('logs it, too, when the other one connects to another replica', () => {
      const warned: unknown[] = [];
      Logger.overrideLogger({ log: () => undefined, error: () => undefined, warn: (text) => warned.push(text) });
      for (const processId of ['p', 'q', 'r', 's']) {
        expect(warned).toEqual([]);
        const { connection } = harness.connect(processId);
        harness.registry.endOlder(account, nodeId, connection.epoch + 1);
      }
      expect(warned).toEqual(['node identity in use on two computers']);
      expect(harness.registry.conflictSeconds(nodeId)).toBe(300);
    });
  });

  describe('when a node is revoked', () => {
    it('closes all of its links at once', () => {
      const older = harness.connect('p');
      const newer = harness.connect('p');
      const unknown = harness.dial();
      harness.registry.revoke(account, nodeId);
      for (const { session } of [older, newer, unknown]) expect(session.calls.at(-1)).toBe('close 4401 revoked');
      expect(harness.online()).toEqual([]);
      expect(harness.changes.slice(-2)).toEqual(['disconnected', 'revoked']);
    });

    it('refuses a handshake that was under way', () => {
      harness.registry.revoke(account, nodeId);
      const { session } = harness.connect('p');
      expect(session.calls).toEqual(['close 4401 revoked']);
      expect(harness.online()).toEqual([]);
    });

    it('does not affect other nodes', () => {
      const other = harness.connect('p', { id: createNodeId() });
      harness.registry.revoke(account, nodeId);
      expect(other.session.calls).toEqual(['ready']);
    });
  });

  describe('when a link closes', () => {
    const closingLine = (spy: jest.SpiedFunction<Logger['log']>): unknown => spy.mock.calls.at(-1)?.[0];

    it('tells one that was admitted from one that ended before that', () => {
      const log = jest.spyOn(Logger.prototype, 'log');
      const admitted = harness.connect('p');
      admitted.connection.onClosed('peer_closed', 'gone');
      expect(closingLine(log)).toBe('node link closed');
      harness.dial().connection.onClosed('peer_closed', 'gone');
      expect(closingLine(log)).toBe('node link closed before it was admitted');
      log.mockRestore();
    });
  });
});
