import { describe, expect, it } from '@jest/globals';
import { settled } from '../../../test/support/clock/settled.js';
import { connectionHarness, lost, type FakeLink } from '../../../test/support/agent/connection.harness.js';
import type { FailedAttempt } from './connection-manager.js';

describe('a node whose relay announces that it is ready again', () => {
  it('connects at once regardless of its back-off, and resets it', async () => {
    const { manager: connection, failures, links, clock } = connectionHarness();
    failures.push(...Array.from({ length: 9 }, () => lost));
    connection.start();
    await settled();
    for (let attempt = 0; attempt < 7; attempt += 1) await clock.advanceAndSettle(clock.nextTimerInMs!);
    expect(clock.nextTimerInMs).toBe(30_000);
    connection.reconnect();
    await settled();
    // That attempt failed as well.
    expect(clock.nextTimerInMs).toBe(500);
    connection.reconnect();
    await settled();
    expect([links.length, clock.nextTimerInMs]).toEqual([1, undefined]);
  });

  it('keeps a link that is open or being opened', async () => {
    const { manager: connection, connect, links } = connectionHarness();
    connection.start();
    connection.reconnect();
    await settled();
    expect(links).toHaveLength(1);
    await connect();
    connection.reconnect();
    await settled();
    expect(links).toHaveLength(1);
  });

  it('stays disconnected when stopped', async () => {
    const { manager: connection, connect, links } = connectionHarness();
    await connect();
    connection.stop();
    connection.reconnect();
    await settled();
    expect(links).toHaveLength(1);
  });
});

describe('a node that lost its link', () => {
  it('reconnects after full jitter over a delay that doubles to a minute', async () => {
    const { manager: connection, failures, clock } = connectionHarness();
    failures.push(...Array.from({ length: 9 }, () => lost));
    connection.start();
    await settled();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 9; attempt += 1) {
      waits.push(clock.nextTimerInMs!);
      await clock.advanceAndSettle(clock.nextTimerInMs!);
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('resets the back-off after thirty stable seconds', async () => {
    const { manager: connection, failures, clock, links } = connectionHarness();
    failures.push(lost, lost, lost);
    connection.start();
    await settled();
    for (let attempt = 0; attempt < 3; attempt += 1) await clock.advanceAndSettle(clock.nextTimerInMs!);
    links[0]!.events.onReady();
    await clock.advanceAndSettle(29_999);
    links[0]!.die();
    expect(clock.nextTimerInMs).toBe(4_000);
    await clock.advanceAndSettle(4_000);
    links[1]!.events.onReady();
    await clock.advanceAndSettle(30_000);
    links[1]!.die();
    expect(clock.nextTimerInMs).toBe(500);
  });

  it('waits as long as the relay asks for, up to a limit', async () => {
    const { manager: connection, failures, clock } = connectionHarness();
    failures.push({ outcome: { kind: 'lost', retryAfterMs: 20_000 }, detail: '' });
    failures.push({ outcome: { kind: 'lost', retryAfterMs: 1e12 }, detail: '' });
    connection.start();
    await settled();
    expect(clock.nextTimerInMs).toBe(20_000);
    await clock.advanceAndSettle(20_000);
    expect(clock.nextTimerInMs).toBe(3_600_000);
  });

  it('never has more than one attempt under way', async () => {
    const { connect, clock, links, standing } = connectionHarness();
    const link = await connect();
    link.die();
    link.die();
    await clock.advanceAndSettle(60_000);
    await clock.advanceAndSettle(60_000);
    expect(links).toHaveLength(2);
    expect(standing()).toHaveLength(1);
  });

  it('counts a relay that never admits it as lost', async () => {
    const { manager: connection, links, clock, log } = connectionHarness();
    connection.start();
    await settled();
    expect(links[0]!.started).toBe(true);
    links[0]!.die();
    expect(log).toEqual(['lost 500']);
    expect(clock.nextTimerInMs).toBe(500);
  });
});

describe('a node that receives GOAWAY', () => {
  it('opens the new link first and lets the old one finish its streams', async () => {
    const { connect, clock, links, manager: connection, standing, log } = connectionHarness();
    const old = await connect();
    old.openStreams = 1;
    old.sendAway({ reconnect_in_ms: 3_000 });
    await clock.advanceAndSettle(2_999);
    expect(links).toHaveLength(1);
    await clock.advanceAndSettle(1);
    expect(links).toHaveLength(2);
    connection.tick();
    expect(old.closed).toBe(false);
    expect(connection.connected).toBe(true);
    links[1]!.events.onReady();
    connection.tick();
    expect(standing()).toEqual([old, links[1]]);
    old.openStreams = 0;
    connection.tick();
    expect(standing()).toEqual([links[1]]);
    expect(clock.nextTimerInMs).toBeUndefined();
    expect(log).toEqual(['connected', 'connected']);
  });

  it('keeps trying while the old link is open, and tolerates its early end', async () => {
    const { connect, clock, links, failures, log } = connectionHarness();
    const old = await connect();
    failures.push(lost);
    old.sendAway({});
    await clock.advanceAndSettle(0);
    expect(clock.nextTimerInMs).toBe(500);
    old.die();
    expect(log).toEqual(['connected', 'lost 500', 'lost null']);
    await clock.advanceAndSettle(500);
    expect(links).toHaveLength(2);
  });

  it('never has more than two links, however many GOAWAY arrive', async () => {
    const { connect, clock, links, standing } = connectionHarness();
    (await connect()).openStreams = 1;
    for (let round = 0; round < 4; round += 1) {
      links.at(-1)!.sendAway({});
      links.at(-1)!.openStreams = 1;
      await clock.advanceAndSettle(0);
      links.at(-1)!.events.onReady();
      expect(standing()).toHaveLength(2);
    }
  });

  it('reconnects within a minute, whatever the relay asks for', async () => {
    const { connect, clock } = connectionHarness();
    (await connect()).sendAway({ reconnect_in_ms: 1e15 });
    expect(clock.nextTimerInMs).toBe(60_000);
  });
});

describe('a node whose identity is used by another process', () => {
  it.each([
    ['GOAWAY', (link: FakeLink) => link.sendAway({ reason: 'superseded' })],
    ['a closed link', (link: FakeLink) => link.die({ kind: 'superseded' })],
  ])('waits at least a minute after %s', async (_how, supersede) => {
    const { connect, clock, manager: connection, links } = connectionHarness(() => 0);
    const link = await connect();
    supersede(link);
    connection.tick();
    expect(link.closed).toBe(true);
    expect(clock.nextTimerInMs).toBe(60_000);
    await clock.advanceAndSettle(59_999);
    expect(links).toHaveLength(1);
  });

  it('a node whose identity is used by another process does not mistake its own new link for another process', async () => {
    const { connect, clock, manager: connection, links, standing } = connectionHarness();
    const old = await connect();
    old.sendAway({});
    await clock.advanceAndSettle(0);
    old.sendAway({ reason: 'superseded' });
    connection.tick();
    links[1]!.events.onReady();
    expect(standing()).toEqual([links[1]]);
    expect(clock.nextTimerInMs).toBeUndefined();
  });
});

describe('a node with an unsupported link version', () => {
  it.each([
    ['0', 600_000],
    ['0.5', 630_000],
  ])('retries after ten minutes plus jitter, without giving up (random %s)', async (chance, expected) => {
    const { connect, clock, links, log } = connectionHarness(() => Number(chance));
    (await connect()).die({ kind: 'incompatible' });
    expect(clock.nextTimerInMs).toBe(expected);
    await clock.advanceAndSettle(expected);
    expect(links).toHaveLength(2);
    expect(log).toEqual(['connected', `incompatible ${String(expected)}`]);
  });
});

describe('a node that the relay refuses', () => {
  it('stops at once when it was revoked', async () => {
    const { connect, clock, log } = connectionHarness();
    (await connect()).die({ kind: 'revoked' });
    expect(clock.nextTimerInMs).toBeUndefined();
    expect(log).toEqual(['connected', 'refused: revoked']);
  });

  it('stops when its identity is refused twice in a row, since one refusal may come from a proxy', async () => {
    const { manager: connection, failures, clock, log } = connectionHarness();
    const refused: FailedAttempt = { outcome: { kind: 'unauthorized' }, detail: '401' };
    failures.push(refused, refused);
    connection.start();
    await settled();
    expect(log).toEqual(['unauthorized 500']);
    await clock.advanceAndSettle(500);
    expect(log).toEqual(['unauthorized 500', 'refused: unauthorized']);
    expect(clock.nextTimerInMs).toBeUndefined();
  });
});

describe('a node that shuts down', () => {
  it('sends GOAWAY, keeps the link for its streams, and opens no other', async () => {
    const { connect, clock, links, manager: connection } = connectionHarness();
    const link = await connect();
    connection.leave();
    expect(link).toMatchObject({ saidGoAway: true, closed: false });
    link.die();
    await clock.advanceAndSettle(120_000);
    expect(links).toHaveLength(1);
  });

  it('gives up a link that is being opened', async () => {
    const { manager: connection, links } = connectionHarness();
    connection.start();
    connection.stop();
    await settled();
    expect(links.map((link) => [link.started, link.closed])).toEqual([[false, true]]);
  });
});
