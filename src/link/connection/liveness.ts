/**
 * Pings are for silence; one in so many intervals is for the round trip. Either end's ping ends the silence of both, so an idle link
 * carries about one ping per interval and not two (docs/internals/decisions/0010-pings-are-for-silence.md).
 */
const INTERVALS_PER_ROUND_TRIP = 3;

export interface LivenessLimits {
  /** A peer that was silent for this long is pinged. */
  readonly pingIntervalMs: number;
  /** Without any frame, ping or pong for this long the peer is gone. */
  readonly deadAfterMs: number;
}

/** Whether the peer is there (docs/reference/link.md#liveness). A plain clock-driven state: the owner's tick asks it what to do. */
export class Liveness {
  private heardAtMs: number;
  private checkedAtMs: number;
  private pingedAtMs: number;
  private pongDue = false;
  private lastRoundTripMs: number | null = null;

  constructor(
    private readonly limits: LivenessLimits,
    nowMs: number,
  ) {
    this.heardAtMs = nowMs;
    this.checkedAtMs = nowMs;
    this.pingedAtMs = nowMs;
  }

  get roundTripMs(): number | null {
    return this.lastRoundTripMs;
  }

  /** Any message or ping came. */
  heard(nowMs: number): void {
    this.heardAtMs = nowMs;
  }

  pong(nowMs: number): void {
    this.heardAtMs = nowMs;
    if (!this.pongDue) return;
    this.pongDue = false;
    this.lastRoundTripMs = nowMs - this.pingedAtMs;
  }

  check(nowMs: number): 'fine' | 'ping' | 'dead' {
    const { pingIntervalMs, deadAfterMs } = this.limits;
    // After a pause of our own (sleep, a blocked event loop) silence says nothing about the peer: it gets one ping's time to answer.
    if (nowMs - this.checkedAtMs > pingIntervalMs) {
      this.heardAtMs = Math.max(this.heardAtMs, nowMs - deadAfterMs + pingIntervalMs);
    }
    this.checkedAtMs = nowMs;
    if (nowMs - this.heardAtMs >= deadAfterMs) return 'dead';
    const sincePingMs = nowMs - this.pingedAtMs;
    const soon = nowMs - this.heardAtMs >= pingIntervalMs || this.lastRoundTripMs === null;
    if (sincePingMs < (soon ? pingIntervalMs : INTERVALS_PER_ROUND_TRIP * pingIntervalMs)) return 'fine';
    this.pingedAtMs = nowMs;
    this.pongDue = true;
    return 'ping';
  }
}
