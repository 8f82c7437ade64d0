import { describe, expect, it } from '@jest/globals';
import type { GoAwayMessage } from '../../link/messages.js';
import { LinkKeeper, type FailedAttempt, type Link, type LinkEvents } from './link-keeper.js';
import { ReconnectPolicy, type LinkEnding } from './reconnect-policy.js';
import type { Timers } from './timers.js';

/** Time that stands still until it is told to go on. */
class FakeTime implements Timers {
  now = 0;
  private readonly waiting = new Set<{ readonly atMs: number; readonly work: () => void }>();
  readonly clock = { monotonicMs: () => this.now, wallMs: () => this.now };

  after(ms: number, work: () => void): () => void {
    const timer = { atMs: this.now + ms, work };
    this.waiting.add(timer);
    return () => this.waiting.delete(timer);
  }

  get nextInMs(): number | undefined {
    const times = [...this.waiting].map(({ atMs }) => atMs - this.now);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  async advance(ms: number): Promise<void> {
    this.now += ms;
    for (const timer of [...this.waiting]) {
      if (timer.atMs > this.now || !this.waiting.delete(timer)) continue;
      timer.work();
    }
    await settle();
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class FakeLink implements Link {
  openStreams = 0;
  started = false;
  closed = false;
  saidGoAway = false;
  constructor(readonly events: LinkEvents) {}
  start(): void {
    this.started = true;
  }
  goAway(): void {
    this.saidGoAway = true;
  }
  close(): void {
    this.die();
  }
  tick(): void {
    /* nothing to look after */
  }
  die(ending: LinkEnding = { kind: 'lost' }): void {
    if (this.closed) return;
    this.closed = true;
    this.events.onClosed(ending, 'test');
  }
  sendAway(message: Partial<GoAwayMessage>): void {
    this.events.onGoAway({ reason: 'draining', reconnect_in_ms: 0, ...message });
  }
}

const set = (random = () => 0.5) => {
  const time = new FakeTime();
  const links: FakeLink[] = [];
  const failures: FailedAttempt[] = [];
  const log: string[] = [];
  const keeper = new LinkKeeper({
    open: (events) => {
      const failure = failures.shift();
      if (failure !== undefined) return Promise.resolve(failure);
      const link = new FakeLink(events);
      links.push(link);
      return Promise.resolve(link);
    },
    policy: new ReconnectPolicy(time.clock, random),
    timers: time,
    onConnected: () => log.push('connected'),
    onDisconnected: ({ kind }, _detail, inMs) => log.push(`${kind} ${String(inMs)}`),
    onRefused: ({ kind }) => log.push(`refused: ${kind}`),
  });
  const standing = (): FakeLink[] => links.filter((link) => !link.closed);
  /** Connects and is admitted. */
  const connect = async (): Promise<FakeLink> => {
    keeper.start();
    await settle();
    const link = links.at(-1)!;
    link.events.onReady();
    return link;
  };
  return { time, links, failures, log, keeper, standing, connect };
};

const lost: FailedAttempt = { ending: { kind: 'lost' }, detail: 'unreachable' };

describe('a node that is told that its relay is ready again', () => {
  it('connects at once, whatever its back-off has come to, and begins the next one from the start', async () => {
    const { keeper, failures, links, time } = set();
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
    const { keeper, connect, links } = set();
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
    const { keeper, connect, links } = set();
    await connect();
    keeper.stop();
    keeper.reconnect();
    await settle();
    expect(links).toHaveLength(1);
  });
});

describe('a node that lost its link', () => {
  it('comes back after a random part of a time that doubles to a minute', async () => {
    const { keeper, failures, time } = set();
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
    const { keeper, failures, time, links } = set();
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
    const { keeper, failures, time } = set();
    failures.push({ ending: { kind: 'lost', retryAfterMs: 20_000 }, detail: '' });
    failures.push({ ending: { kind: 'lost', retryAfterMs: 1e12 }, detail: '' });
    keeper.start();
    await settle();
    expect(time.nextInMs).toBe(20_000);
    await time.advance(20_000);
    expect(time.nextInMs).toBe(3_600_000);
  });

  it('has never more than one attempt under way', async () => {
    const { connect, time, links, standing } = set();
    const link = await connect();
    link.die();
    link.die();
    await time.advance(60_000);
    await time.advance(60_000);
    expect(links).toHaveLength(2);
    expect(standing()).toHaveLength(1);
  });

  it('counts a relay that never admits it as lost', async () => {
    const { keeper, links, time, log } = set();
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
    const { connect, time, links, keeper, standing, log } = set();
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
    const { connect, time, links, failures, log } = set();
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
    const { connect, time, links, standing } = set();
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
    const { connect, time } = set();
    (await connect()).sendAway({ reconnect_in_ms: 1e15 });
    expect(time.nextInMs).toBe(60_000);
  });
});

describe('a node whose identity is used by another process', () => {
  it.each([
    ['GOAWAY', (link: FakeLink) => link.sendAway({ reason: 'superseded' })],
    ['a closed link', (link: FakeLink) => link.die({ kind: 'superseded' })],
  ])('waits at least a minute after %s', async (_how, supersede) => {
    const { connect, time, keeper, links } = set(() => 0);
    const link = await connect();
    supersede(link);
    keeper.tick();
    expect(link.closed).toBe(true);
    expect(time.nextInMs).toBe(60_000);
    await time.advance(59_999);
    expect(links).toHaveLength(1);
  });

  it('does not take its own new link for another process', async () => {
    const { connect, time, keeper, links, standing } = set();
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
    const { connect, time, links, log } = set(() => Number(chance));
    (await connect()).die({ kind: 'incompatible' });
    expect(time.nextInMs).toBe(expected);
    await time.advance(expected);
    expect(links).toHaveLength(2);
    expect(log).toEqual(['connected', `incompatible ${String(expected)}`]);
  });
});

describe('a node that the relay refuses', () => {
  it('stops at once when it was revoked', async () => {
    const { connect, time, log } = set();
    (await connect()).die({ kind: 'revoked' });
    expect(time.nextInMs).toBeUndefined();
    expect(log).toEqual(['connected', 'refused: revoked']);
  });

  it('stops when its identity is refused twice in a row: once could be a proxy', async () => {
    const { keeper, failures, time, log } = set();
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
    const { connect, time, links, keeper } = set();
    const link = await connect();
    keeper.leave();
    expect(link).toMatchObject({ saidGoAway: true, closed: false });
    link.die();
    await time.advance(120_000);
    expect(links).toHaveLength(1);
  });

  it('gives up a link that is just being made', async () => {
    const { keeper, links } = set();
    keeper.start();
    keeper.stop();
    await settle();
    expect(links.map((link) => [link.started, link.closed])).toEqual([[false, true]]);
  });
});
