import type { GoAwayMessage } from '../../link/messages.js';
import type { LinkEnding, ReconnectPolicy } from './reconnect-policy.js';
import type { Timers } from './timers.js';

/** Upper bound of the pause that a relay may ask for in GOAWAY. */
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
  /** Sends a WebSocket ping at once instead of after the usual silence. */
  probe(): void;
  /** No pong since the last probe. */
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
  /** Dials; never rejects. The signal aborts when the link is not needed any more. */
  readonly open: (events: LinkEvents, signal: AbortSignal) => Promise<Link | FailedAttempt>;
  readonly policy: ReconnectPolicy;
  readonly timers: Timers;
  readonly onConnected: () => void;
  /** The link was lost. `inMs`: until the next attempt; null when another link is open or being opened. */
  readonly onDisconnected: (ending: LinkEnding, detail: string, inMs: number | null) => void;
  /** The relay refused this node for good. */
  readonly onRefused: (ending: LinkEnding, detail: string) => void;
}

interface Holder {
  link: Link | undefined;
  /** Aborted when this link is not needed any more. */
  readonly givenUp: AbortController;
  /** By another process with this identity. */
  superseded: boolean;
}

/**
 * Keeps one link open. There are two only after a GOAWAY: the new one is opened first, the old one finishes its streams
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

  /** The relay is known to be ready: connects now instead of after the back-off. An open or opening link is kept. */
  reconnect(): void {
    this.options.policy.forgetFailures();
    if (this.current !== undefined) return;
    this.cancelTimer?.();
    this.connect();
  }

  /** The node leaves: opens no new links and sends GOAWAY on the open ones. */
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
   * This computer was suspended. The state of the old connection is unknown, so a new link is opened at once. The old one is kept only if
   * it has answered a probe by the time the new one is admitted.
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
    // At most two links: the one before the previous is closed.
    this.retiring?.link?.close();
    this.retiring = this.current;
    this.current = holder;
    // Its requests have ended at the relay, or will; their slots are needed for the new link.
    if (this.retiring?.link?.unanswered === true) this.retiring.link.close();
    this.options.policy.connected();
    this.options.onConnected();
  }

  private sentAway(holder: Holder, { reason, reconnect_in_ms: inMs }: GoAwayMessage): void {
    // A retiring link is superseded by design.
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
    // A new link is being opened already: the old one only closed a little early.
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
