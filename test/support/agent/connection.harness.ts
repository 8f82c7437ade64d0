/** A link keeper with links that a test plays itself, in time that it moves. */
import type { GoAwayMessage } from '../../../src/link/messages.js';
import {
  LinkKeeper,
  type FailedAttempt,
  type Link,
  type LinkEvents,
} from '../../../src/agent/connection/link-keeper.js';
import { ReconnectPolicy, type LinkEnding } from '../../../src/agent/connection/reconnect-policy.js';
import type { Timers } from '../../../src/agent/connection/timers.js';

/** Time that stands still until it is told to go on. */
export class FakeTime implements Timers {
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

export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class FakeLink implements Link {
  openStreams = 0;
  started = false;
  closed = false;
  saidGoAway = false;
  unanswered = false;
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
  probe(): void {
    this.unanswered = true;
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

export const linkKeeperBench = (random = () => 0.5) => {
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

export const lost: FailedAttempt = { ending: { kind: 'lost' }, detail: 'unreachable' };
