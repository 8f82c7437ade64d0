import { describe, expect, it } from '@jest/globals';
import { linkKeeperBench, lost, settle, type FakeLink } from '../../../test/support/agent/connection.harness.js';
import type { FailedAttempt } from './link-keeper.js';

describe('a node that is told that its relay is ready again', () => {
  it('connects at once, whatever its back-off has come to, and begins the next one from the start', async () => {
    const { keeper, failures, links, time } = linkKeeperBench();
    failures.push(...Array.from({ length: 9 }, () => lost));
    keeper.start();
    await settle();
    for (let attempt = 0; attempt < 7; attempt += 1) await time.advance(time.nextInMs!);
    expect(time.nextInMs).toBe(30_000);
    keeper.reconnect();
    await settle();
    // That attempt failed as well.
    expect(time.nextInMs).toBe(500);
    keeper.reconnect();
    await settle();
    expect([links.length, time.nextInMs]).toEqual([1, undefined]);
  });

  it('leaves a link alone that stands, or is being made', async () => {
    const { keeper, connect, links } = linkKeeperBench();
    keeper.start();
    keeper.reconnect();
    await settle();
    expect(links).toHaveLength(1);
    await connect();
    keeper.reconnect();
    await settle();
    expect(links).toHaveLength(1);
  });

  it('stays away when it was stopped', async () => {
    const { keeper, connect, links } = linkKeeperBench();
    await connect();
    keeper.stop();
    keeper.reconnect();
    await settle();
    expect(links).toHaveLength(1);
  });
});

describe('a node that lost its link', () => {
  it('comes back after a random part of a time that doubles to a minute', async () => {
    const { keeper, failures, time } = linkKeeperBench();
    failures.push(...Array.from({ length: 9 }, () => lost));
    keeper.start();
    await settle();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 9; attempt += 1) {
      waits.push(time.nextInMs!);
      await time.advance(time.nextInMs!);
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('begins anew after thirty seconds of stability, and not before', async () => {
    const { keeper, failures, time, links } = linkKeeperBench();
    failures.push(lost, lost, lost);
    keeper.start();
    await settle();
    for (let attempt = 0; attempt < 3; attempt += 1) await time.advance(time.nextInMs!);
    links[0]!.events.onReady();
    await time.advance(29_999);
    links[0]!.die();
    expect(time.nextInMs).toBe(4_000);
    await time.advance(4_000);
    links[1]!.events.onReady();
    await time.advance(30_000);
    links[1]!.die();
    expect(time.nextInMs).toBe(500);
  });

  it('waits as long as the relay asks for, but not for ever', async () => {
    const { keeper, failures, time } = linkKeeperBench();
    failures.push({ ending: { kind: 'lost', retryAfterMs: 20_000 }, detail: '' });
    failures.push({ ending: { kind: 'lost', retryAfterMs: 1e12 }, detail: '' });
    keeper.start();
    await settle();
    expect(time.nextInMs).toBe(20_000);
    await time.advance(20_000);
    expect(time.nextInMs).toBe(3_600_000);
  });

  it('has never more than one attempt under way', async () => {
    const { connect, time, links, standing } = linkKeeperBench();
    const link = await connect();
    link.die();
    link.die();
    await time.advance(60_000);
    await time.advance(60_000);
    expect(links).toHaveLength(2);
    expect(standing()).toHaveLength(1);
  });

  it('counts a relay that never admits it as lost', async () => {
    const { keeper, links, time, log } = linkKeeperBench();
    keeper.start();
    await settle();
    expect(links[0]!.started).toBe(true);
    links[0]!.die();
    expect(log).toEqual(['lost 500']);
    expect(time.nextInMs).toBe(500);
  });
});

describe('a node that is told to go away', () => {
  it('makes the new link first and lets the old one finish its streams', async () => {
    const { connect, time, links, keeper, standing, log } = linkKeeperBench();
    const old = await connect();
    old.openStreams = 1;
    old.sendAway({ reconnect_in_ms: 3_000 });
    await time.advance(2_999);
    expect(links).toHaveLength(1);
    await time.advance(1);
    expect(links).toHaveLength(2);
    keeper.tick();
    expect(old.closed).toBe(false);
    expect(keeper.connected).toBe(true);
    links[1]!.events.onReady();
    keeper.tick();
    expect(standing()).toEqual([old, links[1]]);
    old.openStreams = 0;
    keeper.tick();
    expect(standing()).toEqual([links[1]]);
    expect(time.nextInMs).toBeUndefined();
    expect(log).toEqual(['connected', 'connected']);
  });

  it('keeps trying while the old link stands, and does not mind when it goes early', async () => {
    const { connect, time, links, failures, log } = linkKeeperBench();
    const old = await connect();
    failures.push(lost);
    old.sendAway({});
    await time.advance(0);
    expect(time.nextInMs).toBe(500);
    old.die();
    expect(log).toEqual(['connected', 'lost 500', 'lost null']);
    await time.advance(500);
    expect(links).toHaveLength(2);
  });

  it('never has more than two links, however often it is sent away', async () => {
    const { connect, time, links, standing } = linkKeeperBench();
    (await connect()).openStreams = 1;
    for (let round = 0; round < 4; round += 1) {
      links.at(-1)!.sendAway({});
      links.at(-1)!.openStreams = 1;
      await time.advance(0);
      links.at(-1)!.events.onReady();
      expect(standing()).toHaveLength(2);
    }
  });

  it('comes back within a minute, whatever the relay says', async () => {
    const { connect, time } = linkKeeperBench();
    (await connect()).sendAway({ reconnect_in_ms: 1e15 });
    expect(time.nextInMs).toBe(60_000);
  });
});

describe('a node whose identity is used by another process', () => {
  it.each([
    ['GOAWAY', (link: FakeLink) => link.sendAway({ reason: 'superseded' })],
    ['a closed link', (link: FakeLink) => link.die({ kind: 'superseded' })],
  ])('waits at least a minute after %s', async (_how, supersede) => {
    const { connect, time, keeper, links } = linkKeeperBench(() => 0);
    const link = await connect();
    supersede(link);
    keeper.tick();
    expect(link.closed).toBe(true);
    expect(time.nextInMs).toBe(60_000);
    await time.advance(59_999);
    expect(links).toHaveLength(1);
  });

  it('does not take its own new link for another process', async () => {
    const { connect, time, keeper, links, standing } = linkKeeperBench();
    const old = await connect();
    old.sendAway({});
    await time.advance(0);
    old.sendAway({ reason: 'superseded' });
    keeper.tick();
    links[1]!.events.onReady();
    expect(standing()).toEqual([links[1]]);
    expect(time.nextInMs).toBeUndefined();
  });
});

describe('a node that the relay does not understand', () => {
  it.each([
    ['0', 600_000],
    ['0.5', 630_000],
  ])('tries again after ten minutes and some, without giving up (chance %s)', async (chance, expected) => {
    const { connect, time, links, log } = linkKeeperBench(() => Number(chance));
    (await connect()).die({ kind: 'incompatible' });
    expect(time.nextInMs).toBe(expected);
    await time.advance(expected);
    expect(links).toHaveLength(2);
    expect(log).toEqual(['connected', `incompatible ${String(expected)}`]);
  });
});

describe('a node that the relay refuses', () => {
  it('stops at once when it was revoked', async () => {
    const { connect, time, log } = linkKeeperBench();
    (await connect()).die({ kind: 'revoked' });
    expect(time.nextInMs).toBeUndefined();
    expect(log).toEqual(['connected', 'refused: revoked']);
  });

  it('stops when its identity is refused twice in a row: once could be a proxy', async () => {
    const { keeper, failures, time, log } = linkKeeperBench();
    const refused: FailedAttempt = { ending: { kind: 'unauthorized' }, detail: '401' };
    failures.push(refused, refused);
    keeper.start();
    await settle();
    expect(log).toEqual(['unauthorized 500']);
    await time.advance(500);
    expect(log).toEqual(['unauthorized 500', 'refused: unauthorized']);
    expect(time.nextInMs).toBeUndefined();
  });
});

describe('a node that leaves', () => {
  it('tells the relay, keeps the link for its streams, and makes no other', async () => {
    const { connect, time, links, keeper } = linkKeeperBench();
    const link = await connect();
    keeper.leave();
    expect(link).toMatchObject({ saidGoAway: true, closed: false });
    link.die();
    await time.advance(120_000);
    expect(links).toHaveLength(1);
  });

  it('gives up a link that is just being made', async () => {
    const { keeper, links } = linkKeeperBench();
    keeper.start();
    keeper.stop();
    await settle();
    expect(links.map((link) => [link.started, link.closed])).toEqual([[false, true]]);
  });
});
