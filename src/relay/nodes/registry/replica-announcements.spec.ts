import { describe, expect, it } from '@jest/globals';
import { NodeRegistryHarness } from '../../../../test/support/relay/node-registry.harness.js';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { ReplicaAnnouncements } from './replica-announcements.js';

describe('replicas announced to a node', () => {
  it('replicas announced to a node are in READY', () => {
    const registry = new NodeRegistryHarness();
    registry.live.count = 3;
    registry.live.addresses = ['https://one.test', 'https://two.test'];
    const link = registry.connect('p');
    expect(link.session.readyWith).toMatchObject({
      replica: { id: expect.stringMatching(/^rep_/), link_address: null, max_links: 3 },
      replicas: { live: 3, link_addresses: ['https://one.test', 'https://two.test'] },
    });
  });

  it('replicas announced to a node follow a change within a second, at most every five seconds', () => {
    const registry = new NodeRegistryHarness();
    const { session } = registry.connect('p');
    const reported = (): string[] => session.calls.filter((text) => text.startsWith('replicas'));
    registry.registry.tick();
    expect(reported()).toEqual([]);
    for (const count of [2, 3, 2, 3]) {
      registry.live.count = count;
      registry.clock.advance(1_000);
      registry.registry.tick();
    }
    expect(reported()).toEqual(['replicas 2']);
    registry.clock.advance(2_000);
    registry.registry.tick();
    registry.clock.advance(60_000);
    registry.registry.tick();
    expect(reported()).toEqual(['replicas 2', 'replicas 3']);
  });

  it('replicas announced to a node are told again when one has taken the place of another', () => {
    const registry = new NodeRegistryHarness();
    registry.live.count = 3;
    const { session } = registry.connect('p');
    registry.registry.tick();
    registry.clock.advance(5_000);
    session.calls.length = 0;
    registry.live.joins += 1;
    registry.registry.tick();
    registry.clock.advance(60_000);
    registry.registry.tick();
    expect(session.calls.filter((text) => text.startsWith('replicas'))).toEqual(['replicas 3']);
  });

  it('replicas announced to a node leave out the replica that drains', () => {
    const live = { count: () => 3, linkAddresses: () => ['https://one.test', 'https://two.test'], joins: () => 0 };
    expect(new ReplicaAnnouncements(live, 'https://one.test', new ManualClock()).staying()).toEqual({
      live: 2,
      link_addresses: ['https://two.test'],
    });
  });

  it('replicas announced to a node stay within the bounds of the message', () => {
    const linkAddresses = (): string[] => Array.from({ length: 100 }, () => 'https://one.test');
    const live = { count: () => 1e9, linkAddresses, joins: () => 0 };
    const { live: count, link_addresses: addresses } = new ReplicaAnnouncements(
      live,
      null,
      new ManualClock(),
    ).current();
    expect([count, addresses.length]).toEqual([10_000, 64]);
  });
});
