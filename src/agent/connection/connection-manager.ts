import type { GoAwayMessage } from '../../link/messages.js';
import type { LinkEnding, ReconnectPolicy } from './reconnect-policy.js';
import type { Timers } from './timers.js';

/** Whatever a relay says, a node looks after it again within this time. */
const LONGEST_GO_AWAY_MS = 60_000;

/** One connection to the relay, from dialled to closed. */
export interface Link {
  readonly openStreams: number;
  /** Says HELLO and lets messages in; events come only after it. */
  start(): void;
  /** Tells the relay that the node leaves. */
  goAway(): void;
  /** Ends it; `onClosed` follows. */
  close(): void;
  /** Asks whether the relay is still there, without waiting for silence. */
  probe(): void;
  /** It was probed, and nothing was heard since. */
  readonly unanswered: boolean;
  /** About once a second. */
  tick(): void;
}

export interface LinkEvents {
  /** The relay admitted the node. */
  onReady(): void;
  onGoAway(message: GoAwayMessage): void;
  /** Once. */
  onClosed(ending: LinkEnding, detail: string): void;
}

/** Why an attempt failed, for the policy and for the log. */
export interface FailedAttempt {
  readonly ending: LinkEnding;
  readonly detail: string;
}

export interface ConnectionManagerOptions {
  /** Dials; never rejects. The signal says that nobody waits for the link any more. */
  readonly open: (events: LinkEvents, signal: AbortSignal) => Promise<Link | FailedAttempt>;
  readonly policy: ReconnectPolicy;
  readonly timers: Timers;
  readonly onConnected: () => void;
  /** There is no link any more; `inMs` until the next attempt, null when another link stands or is being made. */
  readonly onDisconnected: (ending: LinkEnding, detail: string, inMs: number | null) => void;
  /** The relay will not have this node again. */
  readonly onRefused: (ending: LinkEnding, detail: string) => void;
}

interface Holder {
  link: Link | undefined;
  /** Nobody waits for this link any more. */
  readonly givenUp: AbortController;
  /** By another process with this identity. */
  superseded: boolean;
}

/**
 * Keeps one link standing. Only after a GOAWAY are there two: the new one is made first, the old one finishes its streams
 * (make-before-break, docs/reference/link.md#superseding).
 */
export class ConnectionManager {
  /** Dialling, or dialled and not yet admitted. */
  private candidate: Holder | undefined;
  private current: Holder | undefined;
  /** Replaced, with streams to finish. */
  private retiring: Holder | undefined;
  private cancelTimer: (() => void) | undefined;
  private stopped = false;

  constructor(private readonly options: ConnectionManagerOptions) {}

  get connected(): boolean {
    return this.current !== undefined;
  }

  start(): void {
    this.connect();
  }

  /** The relay is known to be ready: connects now instead of after the back-off. A link that stands or is being made is left alone. */
  reconnect(): void {
    this.options.policy.forgetFailures();
    if (this.current !== undefined) return;
    this.cancelTimer?.();
    this.connect();
  }

  /** The node leaves: no new links, and the relay is told on those that stand. */
  leave(): void {
    this.stopConnecting();
    for (const holder of [this.retiring, this.current]) holder?.link?.goAway();
  }

  stop(): void {
    this.stopConnecting();
    for (const holder of this.holders()) holder.link?.close();
  }

  tick(): void {
    for (const holder of this.holders()) holder.link?.tick();
    for (const holder of [this.retiring, this.current?.superseded === true ? this.current : undefined]) {
      if (holder?.link?.openStreams === 0) holder.link.close();
    }
  }

  /**
   * This computer was suspended. What the network remembers of the old link is unknown, so a new one is made at once; the old one goes on only if it
   * has given a sign of life by the time that the new one stands.
   */
  resumed(): void {
    if (this.stopped) return;
    const waitMs = this.options.policy.resumed();
    for (const holder of [this.retiring, this.current]) holder?.link?.probe();
    if (waitMs === null) return;
    // Its connection is as old as the others.
    const { candidate } = this;
    this.candidate = undefined;
    candidate?.givenUp.abort();
    candidate?.link?.close();
    if (waitMs > 0) {
      this.schedule(waitMs);
      return;
    }
    this.cancelTimer?.();
    this.connect();
  }

  private stopConnecting(): void {
    this.stopped = true;
    this.cancelTimer?.();
    this.candidate?.givenUp.abort();
  }

  private holders(): Holder[] {
    return [this.retiring, this.current, this.candidate].filter((holder) => holder !== undefined);
  }

  private connect(): void {
    this.cancelTimer = undefined;
    if (this.stopped || this.candidate !== undefined) return;
    const holder: Holder = { link: undefined, givenUp: new AbortController(), superseded: false };
    this.candidate = holder;
    void this.dial(holder);
  }

  private async dial(holder: Holder): Promise<void> {
    const events: LinkEvents = {
      onReady: () => {
        this.admitted(holder);
      },
      onGoAway: (message) => {
        this.sentAway(holder, message);
      },
      onClosed: (ending, detail) => {
        this.ended(holder, ending, detail);
      },
    };
    const opened = await this.options.open(events, holder.givenUp.signal);
    if ('ending' in opened) {
      this.ended(holder, opened.ending, opened.detail);
      return;
    }
    holder.link = opened;
    if (holder.givenUp.signal.aborted) opened.close();
    else opened.start();
  }

  private admitted(holder: Holder): void {
    if (holder !== this.candidate) return;
    this.candidate = undefined;
    // Two generations back has had its time: more than two links never stand.
    this.retiring?.link?.close();
    this.retiring = this.current;
    this.current = holder;
    // Its requests are over at the relay, or will be; their slots are needed for those of the new link.
    if (this.retiring?.link?.unanswered === true) this.retiring.link.close();
    this.options.policy.connected();
    this.options.onConnected();
  }

  private sentAway(holder: Holder, { reason, reconnect_in_ms: inMs }: GoAwayMessage): void {
    // The link that we replaced ourselves is superseded by design.
    if (holder !== this.current) return;
    if (reason === 'superseded') {
      holder.superseded = true;
      return;
    }
    this.schedule(Math.min(inMs, LONGEST_GO_AWAY_MS));
  }

  private ended(holder: Holder, told: LinkEnding, detail: string): void {
    if (holder === this.retiring) {
      this.retiring = undefined;
      return;
    }
    const ending: LinkEnding = holder.superseded && told.kind === 'lost' ? { kind: 'superseded' } : told;
    if (holder === this.current) this.current = undefined;
    else if (holder === this.candidate) this.candidate = undefined;
    else return;
    if (this.stopped) return;

    const delay = this.options.policy.after(ending);
    if (delay === 'stop') {
      this.stop();
      this.options.onRefused(ending, detail);
      return;
    }
    // A link is being made already: the old one only went a little early.
    const underWay = this.candidate !== undefined || this.cancelTimer !== undefined;
    if (!underWay) this.schedule(delay);
    this.options.onDisconnected(ending, detail, underWay ? null : delay);
  }

  private schedule(ms: number): void {
    if (this.stopped || this.candidate !== undefined) return;
    this.cancelTimer?.();
    this.cancelTimer = this.options.timers.after(ms, () => {
      this.connect();
    });
  }
}
