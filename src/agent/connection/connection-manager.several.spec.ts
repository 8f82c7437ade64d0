import { describe, expect, it } from '@jest/globals';
import { settled } from '../../../test/support/clock/settled.js';
import { connectionHarness, lost, type FakeLink } from '../../../test/support/agent/connection.harness.js';
import type { FailedAttempt } from './connection-manager.js';
import type { ReadyFacts } from './link.js';

const idOf = (name: string): string => `rep_${name.repeat(32)}`;
const at = (
  name: string,
  live: number,
  { max = 3, addresses = [], own = null }: { max?: number; addresses?: string[]; own?: string | null } = {},
): Partial<ReadyFacts> => ({
  epoch: 7,
  replica: { id: idOf(name), link_address: own, max_links: max },
  replicas: { live, link_addresses: addresses },
});
const duplicate: FailedAttempt = { outcome: { kind: 'duplicate_home' }, detail: '421' };

/** A node with a link to each replica named, in that order. */
const linked = async (names: string, live = names.length, options: Parameters<typeof at>[2] = {}) => {
  const harness = connectionHarness();
  harness.manager.start();
  await settled();
  for (const name of names) {
    harness.links.at(-1)!.events.onReady(at(name, live, options));
    if (harness.clock.nextTimerInMs !== undefined) await harness.clock.advanceAndSettle(harness.clock.nextTimerInMs);
  }
  return harness;
};
const targets = (links: readonly FakeLink[]) => links.map(({ target }) => target);

describe('a node of a relay with several replicas', () => {
  it('a node of a relay with several replicas has a link to each, one after the other, which carry the epoch of the first', async () => {
    const { links, standing, clock, log } = await linked('abc');
    expect(standing()).toHaveLength(3);
    expect(clock.nextTimerInMs).toBeUndefined();
    expect(targets(links)).toEqual([
      { address: null, linkedReplicas: [], epoch: undefined },
      { address: null, linkedReplicas: [idOf('a')], epoch: 7 },
      { address: null, linkedReplicas: [idOf('a'), idOf('b')], epoch: 7 },
    ]);
    expect(log).toEqual(['connected', 'connected', 'connected']);
  });

  it.each([
    ['the relay has one replica', 1, 3, 1],
    ['the relay allows one', 5, 1, 1],
    ['the relay allows two', 5, 2, 2],
    ['there are more replicas than links', 9, 3, 3],
  ])('keeps as many links as are wanted when %s', async (_case, live, max, expected) => {
    const { standing, clock } = await linked('abc'.slice(0, expected), live, { max });
    await clock.advanceAndSettle(3_600_000);
    expect(standing()).toHaveLength(expected);
  });

  it('dials listed addresses first, and not one of a replica that it has a link to', async () => {
    const addresses = ['https://a.test', 'https://b.test', 'https://forbidden.test'];
    const harness = connectionHarness();
    harness.manager.start();
    await settled();
    harness.links[0]!.events.onReady(at('a', 3, { addresses, own: 'https://a.test' }));
    await harness.clock.advanceAndSettle(harness.clock.nextTimerInMs!);
    expect(harness.links[1]!.target.address).toBe('https://b.test');
    harness.links[1]!.events.onReady(at('b', 3, { addresses, own: 'https://b.test' }));
    await harness.clock.advanceAndSettle(harness.clock.nextTimerInMs!);
    expect(harness.links[2]!.target.address).toBeNull();
  });

  it('dials an address as often as it is listed, once for each worker behind it, those of other relays first', async () => {
    const harness = connectionHarness();
    const addresses = ['https://a.test', 'https://b.test', 'https://a.test', 'https://b.test'];
    const dialNext = async (): Promise<string | null | undefined> => {
      await harness.clock.advanceAndSettle(harness.clock.nextTimerInMs!);
      return harness.targets.at(-1)?.address;
    };
    harness.manager.start();
    await settled();
    harness.links[0]!.events.onReady(at('a', 4, { max: 8, addresses, own: 'https://a.test' }));
    const dialled: unknown[] = [];
    for (const name of 'bcd') {
      const own = await dialNext();
      dialled.push(own);
      harness.links.at(-1)!.events.onReady(at(name, 4, { max: 8, addresses, own: own ?? null }));
    }
    expect(dialled[0]).toBe('https://b.test');
    expect(dialled.slice(1).sort()).toEqual(['https://a.test', 'https://b.test']);
    expect(harness.standing()).toHaveLength(4);
    expect(harness.clock.nextTimerInMs).toBeUndefined();
  });

  it('tries the public address when a listed one fails, then the listed one again', async () => {
    const harness = connectionHarness();
    const dialled: (string | null)[] = [];
    harness.manager.start();
    await settled();
    harness.links[0]!.events.onReady(at('a', 2, { addresses: ['https://b.test'] }));
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await harness.clock.advanceAndSettle(harness.clock.nextTimerInMs!);
      dialled.push(harness.links.at(-1)!.target.address);
      harness.links.at(-1)!.die();
    }
    expect(dialled).toEqual(['https://b.test', null, 'https://b.test', null]);
    expect(harness.manager.connected).toBe(true);
  });

  it('does not dial a listed address again that led to a replica which it has a link to, until a link ends', async () => {
    const harness = connectionHarness();
    const addresses = ['https://a.test', 'https://b.test'];
    harness.manager.start();
    await settled();
    harness.links[0]!.events.onReady(at('a', 3, { addresses }));
    const dialNext = async (failure?: FailedAttempt): Promise<string | null | undefined> => {
      if (failure !== undefined) harness.failures.push(failure);
      await harness.clock.advanceAndSettle(harness.clock.nextTimerInMs!);
      return harness.targets.at(-1)?.address;
    };
    expect(await dialNext(duplicate)).toBe('https://b.test');
    expect(await dialNext(duplicate)).toBe('https://a.test');
    expect([await dialNext(duplicate), await dialNext()]).toEqual([null, null]);
    harness.links[1]!.events.onReady(at('c', 3, { addresses }));
    harness.links[1]!.die();
    expect(await dialNext()).toBe('https://b.test');
  });

  it('gives up after five duplicates in a row, and tries every minute', async () => {
    const harness = connectionHarness();
    harness.manager.start();
    await settled();
    harness.failures.push(...Array.from({ length: 7 }, () => duplicate));
    harness.links[0]!.events.onReady(at('a', 2));
    const waits: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      await harness.clock.advanceAndSettle(harness.clock.nextTimerInMs!);
      waits.push(harness.clock.nextTimerInMs!);
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 60_000, 60_000, 60_000]);
    await harness.clock.advanceAndSettle(60_000);
    harness.links.at(-1)!.events.onReady(at('b', 2));
    expect(harness.standing()).toHaveLength(2);
  });

  it('opens another link within 15 s when a replica is added, also between two tries of a minute', async () => {
    const harness = await linked('ab');
    harness.links[0]!.events.onReplicas({ live: 3, link_addresses: [] });
    expect(harness.clock.nextTimerInMs).toBe(7_500);
    harness.failures.push(...Array.from({ length: 5 }, () => duplicate));
    for (let attempt = 0; attempt < 5; attempt += 1) await harness.clock.advanceAndSettle(harness.clock.nextTimerInMs!);
    expect(harness.clock.nextTimerInMs).toBe(60_000);
    harness.links[1]!.events.onReplicas({ live: 4, link_addresses: ['https://d.test'] });
    expect(harness.clock.nextTimerInMs).toBe(7_500);
    await harness.clock.advanceAndSettle(7_500);
    expect(harness.links.at(-1)!.target.address).toBe('https://d.test');
  });

  it('dials within 15 s when a replica has taken the place of the one that it lost', async () => {
    const harness = await linked('abc');
    harness.links[2]!.die();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await harness.clock.advanceAndSettle(harness.clock.nextTimerInMs!);
      harness.links.at(-1)!.die();
    }
    expect(harness.clock.nextTimerInMs).toBeGreaterThan(15_000);
    harness.links[0]!.events.onReplicas({ live: 3, link_addresses: [] });
    expect(harness.clock.nextTimerInMs).toBe(7_500);
  });

  it('keeps its links when fewer replicas are announced', async () => {
    const harness = await linked('abc');
    for (const link of harness.standing()) link.events.onReplicas({ live: 1, link_addresses: [] });
    expect(harness.standing()).toHaveLength(3);
    harness.links[2]!.die();
    expect(harness.clock.nextTimerInMs).toBeUndefined();
  });

  it('believes the link that knows of the most replicas', async () => {
    const harness = await linked('abc');
    harness.links[0]!.events.onReplicas({ live: 1, link_addresses: [] });
    harness.links[2]!.die();
    expect(harness.clock.nextTimerInMs).toBe(500);
  });

  it('retires a link when the relay allows fewer', async () => {
    const harness = await linked('ab');
    harness.links[0]!.openStreams = 1;
    harness.links[1]!.die();
    await harness.clock.advanceAndSettle(harness.clock.nextTimerInMs!);
    harness.links[2]!.events.onReady(at('b', 2, { max: 1 }));
    expect(harness.links[0]).toMatchObject({ saidGoAway: true, closed: false });
    harness.links[0]!.openStreams = 0;
    harness.manager.tick();
    expect(harness.standing()).toEqual([harness.links[2]]);
  });
});

describe('a node with several links that loses one', () => {
  it('stays connected, and replaces it', async () => {
    const harness = await linked('abc');
    harness.links[1]!.die();
    expect(harness.manager.connected).toBe(true);
    expect(harness.log.at(-1)).toBe('lost, 2 left');
    await harness.clock.advanceAndSettle(harness.clock.nextTimerInMs!);
    expect(harness.links[3]!.target.linkedReplicas).toEqual([idOf('a'), idOf('c')]);
    harness.links[3]!.events.onReady(at('d', 3));
    expect(harness.standing()).toHaveLength(3);
  });

  it('reconnects without the back-off of its further links when it loses the last one', async () => {
    const harness = connectionHarness();
    harness.manager.start();
    await settled();
    harness.failures.push(...Array.from({ length: 9 }, () => lost));
    harness.links[0]!.events.onReady(at('a', 2));
    for (let attempt = 0; attempt < 9; attempt += 1) await harness.clock.advanceAndSettle(harness.clock.nextTimerInMs!);
    expect(harness.clock.nextTimerInMs).toBe(30_000);
    harness.links[0]!.die();
    expect(harness.clock.nextTimerInMs).toBe(500);
    expect(harness.log.at(-1)).toBe('lost 500');
    await harness.clock.advanceAndSettle(500);
    // A new first link: there is none to be equal to.
    expect(harness.links[1]!.target).toEqual({ address: null, linkedReplicas: [], epoch: undefined });
  });

  it('a node with several links that loses one does not stop when one replica refuses it, but does when it is revoked', async () => {
    const harness = await linked('ab', 3);
    const refused: FailedAttempt = { outcome: { kind: 'unauthorized' }, detail: '401' };
    harness.links.at(-1)!.die();
    harness.failures.push(refused, refused, refused);
    for (let attempt = 0; attempt < 3; attempt += 1) await harness.clock.advanceAndSettle(harness.clock.nextTimerInMs!);
    expect(harness.standing()).toHaveLength(2);
    harness.links[0]!.die({ kind: 'revoked' });
    expect(harness.standing()).toEqual([]);
    expect(harness.log.at(-1)).toBe('refused: revoked');
  });
});

describe('a node with several links that is sent away by one replica', () => {
  it('opens no new link when those to the replicas that stay suffice', async () => {
    const harness = await linked('abc');
    harness.links[0]!.openStreams = 1;
    harness.links[0]!.sendAway({ reconnect_in_ms: 1_000, replicas: { live: 2, link_addresses: [] } });
    for (const link of [harness.links[1]!, harness.links[2]!]) link.events.onReplicas({ live: 2, link_addresses: [] });
    await harness.clock.advanceAndSettle(600_000);
    expect(harness.links).toHaveLength(3);
    harness.manager.tick();
    expect(harness.links[0]!.closed).toBe(false);
    harness.links[0]!.openStreams = 0;
    harness.manager.tick();
    expect(harness.links[0]!.closed).toBe(true);
    // The replica is back under a new id.
    harness.links[1]!.events.onReplicas({ live: 3, link_addresses: [] });
    await harness.clock.advanceAndSettle(harness.clock.nextTimerInMs!);
    expect(harness.links).toHaveLength(4);
  });

  it('opens one all the same when the others never tell of a change, since that one may be back already', async () => {
    const harness = await linked('abc');
    harness.links[0]!.sendAway({ reconnect_in_ms: 0, replicas: { live: 2, link_addresses: [] } });
    await harness.clock.advanceAndSettle(14_999);
    expect(harness.links).toHaveLength(3);
    await harness.clock.advanceAndSettle(1);
    await harness.clock.advanceAndSettle(harness.clock.nextTimerInMs!);
    expect(harness.links).toHaveLength(4);
  });

  it('opens one to another replica where there are more', async () => {
    const harness = await linked('abc', 5);
    harness.links[0]!.sendAway({ reconnect_in_ms: 1_000, replicas: { live: 4, link_addresses: [] } });
    expect(harness.clock.nextTimerInMs).toBe(1_000);
    await harness.clock.advanceAndSettle(1_000);
    expect(harness.links[3]!.target.linkedReplicas).toEqual([idOf('b'), idOf('c')]);
    expect(harness.links[0]!.closed).toBe(false);
    harness.links[3]!.events.onReady(at('d', 4));
    harness.manager.tick();
    expect(harness.standing()).toEqual(harness.links.slice(1));
  });

  it('never keeps more links than twice the number wanted', async () => {
    const harness = await linked('abc');
    for (let round = 0; round < 6; round += 1) {
      const link = harness.links.at(-1)!;
      for (const one of harness.standing()) one.openStreams = 1;
      link.sendAway({ reconnect_in_ms: 0, replicas: { live: 3, link_addresses: [] } });
      await harness.clock.advanceAndSettle(0);
      harness.links.at(-1)!.events.onReady(at(String(round), 3));
      expect(harness.standing().length).toBeLessThanOrEqual(6);
      expect(harness.manager.links).toBe(3);
    }
  });
});

describe('a node with several links', () => {
  it('gives them all up for a newer process, and begins anew after a minute', async () => {
    const harness = await linked('abc');
    harness.links[1]!.die({ kind: 'superseded' });
    expect(harness.standing()).toEqual([]);
    expect(harness.clock.nextTimerInMs).toBe(75_000);
    await harness.clock.advanceAndSettle(75_000);
    expect(harness.links[3]!.target).toEqual({ address: null, linkedReplicas: [], epoch: undefined });
  });

  it('gives them up as well when the relay refuses a further link for a newer process', async () => {
    const harness = await linked('ab', 3);
    harness.links.at(-1)!.die({ kind: 'superseded' });
    expect(harness.standing()).toEqual([]);
    expect(harness.manager.connected).toBe(false);
  });

  it('replaces a link by a second one to the same replica', async () => {
    const harness = await linked('ab', 3);
    harness.links[0]!.openStreams = 1;
    harness.links.at(-1)!.events.onReady(at('a', 2));
    expect(harness.manager.links).toBe(2);
    expect(harness.links[0]!.closed).toBe(false);
    harness.links[0]!.openStreams = 0;
    harness.manager.tick();
    expect(harness.standing()).toEqual(harness.links.slice(1));
  });

  it('keeps those that answer after a suspend, and replaces the silent ones', async () => {
    const harness = await linked('abc');
    harness.manager.resumed();
    await settled();
    expect(harness.links[3]!.target).toEqual({ address: null, linkedReplicas: [], epoch: 7 });
    harness.links[0]!.unanswered = false;
    harness.links[1]!.unanswered = false;
    harness.links[3]!.events.onReady(at('a', 3));
    expect(harness.standing()).toEqual([harness.links[0], harness.links[1], harness.links[3]]);
    harness.manager.tick();
    expect(harness.standing()).toEqual([harness.links[1], harness.links[3]]);
    await harness.clock.advanceAndSettle(harness.clock.nextTimerInMs!);
    expect(harness.links[4]!.target.linkedReplicas).toEqual([idOf('b'), idOf('a')]);
  });

  it('says goodbye on all of them when it shuts down', async () => {
    const { manager, links } = await linked('abc');
    manager.leave();
    expect(links.map(({ saidGoAway }) => saidGoAway)).toEqual([true, true, true]);
    manager.stop();
    expect(links.every(({ closed }) => closed)).toBe(true);
  });
});
