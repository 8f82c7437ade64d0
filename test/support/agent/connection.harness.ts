/** A connection manager with fake links and a manual clock. */
import { ManualClock } from '../clock/manual-clock.js';
import { settled } from '../clock/settled.js';
import type { GoAwayMessage } from '../../../src/link/messages.js';
import { ConnectionManager, type FailedAttempt } from '../../../src/agent/connection/connection-manager.js';
import type { Link, LinkEvents, ReadyFacts } from '../../../src/agent/connection/link.js';
import type { DialTarget } from '../../../src/agent/connection/link-set.js';
import { ReconnectPolicy, type LinkOutcome } from '../../../src/agent/connection/reconnect-policy.js';

/** READY of a relay without others. */
const onlyReplica: ReadyFacts = {
  epoch: 1,
  replica: { id: `rep_${'0'.repeat(32)}`, link_address: null, max_links: 1 },
  replicas: { live: 1, link_addresses: [] },
};

export class FakeLink implements Link {
  openStreams = 0;
  roundTripMs: number | null = null;
  started = false;
  closed = false;
  saidGoAway = false;
  unanswered = false;
  readonly events: Omit<LinkEvents, 'onReady'> & { onReady(facts?: Partial<ReadyFacts>): void };
  constructor(
    events: LinkEvents,
    readonly target: DialTarget,
  ) {
    this.events = { ...events, onReady: (facts) => events.onReady({ ...onlyReplica, ...facts }) };
  }
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
    /* no timers */
  }
  die(outcome: LinkOutcome = { kind: 'lost' }): void {
    if (this.closed) return;
    this.closed = true;
    this.events.onClosed(outcome, 'test');
  }
  sendAway(message: Partial<GoAwayMessage>): void {
    this.events.onGoAway({ reason: 'draining', reconnect_in_ms: 0, ...message });
  }
}

export const connectionHarness = (random = () => 0.5) => {
  const clock = new ManualClock();
  const links: FakeLink[] = [];
  const targets: DialTarget[] = [];
  const failures: FailedAttempt[] = [];
  const log: string[] = [];
  const connection = new ConnectionManager({
    open: (events, target) => {
      targets.push(target);
      const failure = failures.shift();
      if (failure !== undefined) return Promise.resolve(failure);
      const link = new FakeLink(events, target);
      links.push(link);
      return Promise.resolve(link);
    },
    policy: new ReconnectPolicy(clock, random),
    mayDial: (address) => !address.includes('forbidden'),
    random,
    timers: clock,
    onConnected: () => log.push('connected'),
    onDisconnected: ({ kind }, _detail, inMs) => log.push(`${kind} ${String(inMs)}`),
    onFurtherLinkFailed: ({ kind }, _detail, left) => log.push(`${kind}, ${String(left)} left`),
    onRefused: ({ kind }) => log.push(`refused: ${kind}`),
  });
  const standing = (): FakeLink[] => links.filter((link) => !link.closed);
  /** Connects and is admitted. */
  const connect = async (): Promise<FakeLink> => {
    connection.start();
    await settled();
    const link = links.at(-1)!;
    link.events.onReady();
    return link;
  };
  return { clock, targets, links, failures, log, manager: connection, standing, connect };
};

export const lost: FailedAttempt = { outcome: { kind: 'lost' }, detail: 'unreachable' };
