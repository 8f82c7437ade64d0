import type { GoAwayMessage } from '../../link/messages.js';
import type { Rng } from '../../kernel/clock.js';
import { FurtherLinkPacing } from './further-link-pacing.js';
import type { Link, LinkEvents, ReadyFacts } from './link.js';
import { LinkSet, type DialTarget, type Holder } from './link-set.js';
import type { LinkOutcome, ReconnectPolicy } from './reconnect-policy.js';
import type { Timers } from './timers.js';

/** Remaining replicas announce a permanent change of their number within this time after one drains. */
const DRAINED_MS = 15_000;
/** Upper bound of the pause that a relay may ask for in GOAWAY. */
const LONGEST_GO_AWAY_MS = 60_000;

/** Why an attempt failed, for the policy and for the log. */
export interface FailedAttempt {
  readonly outcome: LinkOutcome;
  readonly detail: string;
}

export interface ConnectionManagerOptions {
  /** Dials; never rejects. The signal aborts when the link is not needed any more. */
  readonly open: (events: LinkEvents, target: DialTarget, signal: AbortSignal) => Promise<Link | FailedAttempt>;
  /** While the node has no link. */
  readonly policy: ReconnectPolicy;
  /** Whether an address that the relay listed is one to dial. */
  readonly mayDial: (address: string) => boolean;
  readonly random: Rng;
  readonly timers: Timers;
  /** @param links how many there are now */
  readonly onConnected: (links: number) => void;
  /** The last link was lost. `inMs`: until the next attempt; null when another link is open or being opened. */
  readonly onDisconnected: (outcome: LinkOutcome, detail: string, inMs: number | null) => void;
  /** One of several links was lost, or a further one could not be opened. @param links how many are left */
  readonly onFurtherLinkFailed: (outcome: LinkOutcome, detail: string, links: number) => void;
  /** The relay refused this node for good. */
  readonly onRefused: (outcome: LinkOutcome, detail: string) => void;
}

/**
 * Keeps as many links open as the relay has replicas, up to its limit: one attempt at a time. A link that receives GOAWAY is replaced
 * first, and then finishes its streams (make-before-break, docs/reference/link.md#superseding).
 */
export class ConnectionManager {
  /** Dialling, or dialled and not yet admitted. */
  private candidate: Holder | undefined;
  private readonly set: LinkSet;
  /** Delays of attempts while the node has fewer links than wanted. */
  private readonly pacing: FurtherLinkPacing;
  private timer: { readonly purpose: 'first' | 'further'; readonly cancel: () => void } | undefined;
  private cancelDrained: (() => void) | undefined;
  private stopped = false;

  constructor(private readonly options: ConnectionManagerOptions) {
    this.pacing = new FurtherLinkPacing(options.random);
    this.set = new LinkSet(options.mayDial, options.random);
  }

  get connected(): boolean {
    return this.set.serving > 0;
  }

  /** Links that serve requests. */
  get links(): number {
    return this.set.serving;
  }

  /** Links that the node should have: one for each replica of the relay, up to its limit. */
  get wantedLinks(): number {
    return this.set.wanted;
  }

  /** Returns the round trips of the links for which one is known. */
  get roundTripsMs(): readonly number[] {
    return this.set.holders.flatMap(({ link }) => link?.roundTripMs ?? []);
  }

  start(): void {
    this.connect();
  }

  /** The relay is known to be ready: connects now instead of after the back-off. An open or opening link is kept. */
  reconnect(): void {
    this.options.policy.forgetFailures();
    if (this.connected) return;
    this.cancelTimer();
    this.connect();
  }

  /** The node leaves: opens no new links and sends GOAWAY on the open ones. */
  leave(): void {
    this.stopConnecting();
    for (const holder of this.set.holders) holder.link?.goAway();
  }

  stop(): void {
    this.stopConnecting();
    for (const holder of this.holders()) holder.link?.close();
  }

  tick(): void {
    for (const holder of this.holders()) holder.link?.tick();
    for (const holder of this.set.holders) {
      const over = holder.superseded || this.set.stateOf(holder) === 'retiring';
      if (over && holder.link?.openStreams === 0) holder.link.close();
    }
  }

  /**
   * This computer was suspended. The state of the old connections is unknown, so a new link is opened at once. An old one is kept only if
   * it has answered a probe by the time the new one is admitted.
   */
  resumed(): void {
    if (this.stopped) return;
    const waitMs = this.options.policy.resumed();
    for (const holder of this.set.holders) holder.link?.probe();
    if (waitMs === null) return;
    this.set.doubtAll();
    // The candidate has a connection as old as the others.
    const { candidate } = this;
    this.candidate = undefined;
    candidate?.givenUp.abort();
    candidate?.link?.close();
    if (waitMs > 0) {
      this.schedule(waitMs, 'first');
      return;
    }
    this.cancelTimer();
    this.connect();
  }

  private stopConnecting(): void {
    this.stopped = true;
    this.cancelTimer();
    this.cancelDrained?.();
    this.candidate?.givenUp.abort();
  }

  private holders(): Holder[] {
    return [...this.set.holders, ...(this.candidate === undefined ? [] : [this.candidate])];
  }

  private connect(): void {
    if (this.stopped || this.candidate !== undefined) return;
    const holder: Holder = {
      link: undefined,
      target: this.set.nextTarget(),
      givenUp: new AbortController(),
      superseded: false,
    };
    this.candidate = holder;
    void this.dial(holder);
  }

  private async dial(holder: Holder): Promise<void> {
    const events: LinkEvents = {
      onReady: (facts) => {
        this.admitted(holder, facts);
      },
      onGoAway: (message) => {
        this.sentAway(holder, message);
      },
      onReplicas: (message) => {
        // Even the same list may mean that one replica has taken the place of another.
        if (this.set.updateReplicas(holder, message)) this.seekMore(() => this.pacing.afterChange());
      },
      onClosed: (outcome, detail) => {
        this.ended(holder, outcome, detail);
      },
    };
    const opened = await this.options.open(events, holder.target, holder.givenUp.signal);
    if ('outcome' in opened) {
      this.ended(holder, opened.outcome, opened.detail);
      return;
    }
    holder.link = opened;
    if (holder.givenUp.signal.aborted) opened.close();
    else opened.start();
  }

  private admitted(holder: Holder, facts: ReadyFacts): void {
    if (holder !== this.candidate) return;
    this.candidate = undefined;
    this.set.admit(holder, facts);
    if (this.set.standing === 1) this.options.policy.connected();
    this.options.onConnected(this.set.serving);
    this.seekMore(() => this.pacing.afterReady());
  }

  private sentAway(holder: Holder, message: GoAwayMessage): void {
    const state = this.set.stateOf(holder);
    // A retiring link is superseded by design.
    if (state === undefined || state === 'retiring') return;
    if (message.reason === 'superseded') {
      holder.superseded = true;
      return;
    }
    this.set.onGoAway(holder, message);
    if (message.replicas !== undefined && this.set.standing > 0) this.countDrainedUntilLater();
    const delayMs = Math.min(message.reconnect_in_ms, LONGEST_GO_AWAY_MS);
    if (this.set.standing === 0) this.schedule(delayMs, 'first');
    else this.seekMore(() => delayMs);
  }

  private countDrainedUntilLater(): void {
    this.cancelDrained?.();
    this.cancelDrained = this.options.timers.after(DRAINED_MS, () => {
      this.cancelDrained = undefined;
      this.set.forgetDrained();
      if (this.timer === undefined) this.seekMore(() => this.pacing.afterChange());
    });
  }

  private ended(holder: Holder, reported: LinkOutcome, detail: string): void {
    const isCandidate = holder === this.candidate;
    const state = this.set.stateOf(holder);
    if (isCandidate) this.candidate = undefined;
    else this.set.remove(holder);
    if (this.stopped || state === 'retiring' || (state === undefined && !isCandidate)) return;

    if (reported.kind === 'duplicate_home') this.set.refusedAsDuplicate(holder.target);
    const outcome: LinkOutcome = holder.superseded && reported.kind === 'lost' ? { kind: 'superseded' } : reported;
    if (this.set.standing > 0 && outcome.kind !== 'superseded' && outcome.kind !== 'revoked') {
      // After GOAWAY another attempt may be scheduled already.
      if (state === 'leaving' && this.timer !== undefined) return;
      this.options.onFurtherLinkFailed(outcome, detail, this.set.serving);
      this.seekMore(() => (outcome.kind === 'duplicate_home' ? this.pacing.afterDuplicate() : this.pacing.afterLoss()));
      return;
    }
    const delay = this.options.policy.after(outcome);
    if (delay === 'stop') {
      this.stop();
      this.options.onRefused(outcome, detail);
      return;
    }
    // A new link is being opened already: the old one only closed a little early.
    const underWay = this.candidate !== undefined || this.timer?.purpose === 'first';
    if (!underWay) {
      if (outcome.kind === 'superseded') this.set.yieldAll();
      this.schedule(delay, 'first');
    }
    this.options.onDisconnected(outcome, detail, underWay ? null : delay);
  }

  /** Opens another link after `delayMs`, while one is standing and more are wanted. */
  private seekMore(delayMs: () => number): void {
    if (this.set.standing === 0 || this.candidate !== undefined) return;
    this.cancelTimer();
    if (this.set.standing < this.set.wanted) this.schedule(delayMs(), 'further');
  }

  private schedule(ms: number, purpose: 'first' | 'further'): void {
    if (this.stopped || this.candidate !== undefined) return;
    this.cancelTimer();
    const cancel = this.options.timers.after(ms, () => {
      this.timer = undefined;
      this.connect();
    });
    this.timer = { purpose, cancel };
  }

  private cancelTimer(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }
}
