/** Keep-alive events of one stream until the engine's first output. */
import type { Timers } from '../connection/timers.js';

export interface KeepAlivePacing {
  /** Silence before the first event. */
  readonly afterMs: number;
  /** Separates one event from the next. */
  readonly intervalMs: number;
}

interface KeepAliveSubject {
  /** Sends one. A promise that is still pending makes the next one wait for its turn; its failure is the subject's own. */
  send(): Promise<void> | undefined;
  /** The engine has been silent for longer than the relay allows. */
  giveUp(): void;
}

export class KeepAlive {
  private readonly startedMs: number;
  private cancelNext: () => void;
  private cancelGivingUp: (() => void) | undefined;
  /** The last event, while the link has no credit for it. */
  private sending: Promise<void> | undefined;
  private stopped = false;

  /** @param silenceLimitMs null: as long as the request may last */
  constructor(
    private readonly subject: KeepAliveSubject,
    private readonly pacing: KeepAlivePacing,
    private readonly silenceLimitMs: number | null,
    private readonly timers: Timers,
    private readonly nowMs: () => number,
  ) {
    this.startedMs = nowMs();
    this.cancelNext = timers.after(pacing.afterMs, () => this.first());
  }

  /** The engine has produced output, or the request is over. Idempotent. @returns what is to be waited for before anything else is sent */
  stop(): Promise<void> | undefined {
    this.stopped = true;
    this.cancelNext();
    this.cancelGivingUp?.();
    return this.sending;
  }

  /** Before the first event the relay enforces the silence limit itself; afterwards it sees events. */
  private first(): void {
    if (this.silenceLimitMs !== null) {
      const leftMs = Math.max(0, this.silenceLimitMs - (this.nowMs() - this.startedMs));
      this.cancelGivingUp = this.timers.after(leftMs, () => {
        this.stopped = true;
        this.cancelNext();
        this.subject.giveUp();
      });
    }
    this.next();
  }

  private next(): void {
    if (this.stopped) return;
    if (this.sending === undefined) this.send();
    this.cancelNext = this.timers.after(this.pacing.intervalMs, () => this.next());
  }

  private send(): void {
    const sending = this.subject.send();
    if (sending === undefined) return;
    this.sending = sending;
    const sent = (): void => {
      this.sending = undefined;
    };
    // A waiting caller gets the failure; otherwise the reset that caused it is handled elsewhere.
    sending.then(sent, sent);
  }
}
