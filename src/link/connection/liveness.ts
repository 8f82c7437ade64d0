/**
 * A ping is sent after silence; every third interval one is sent to measure the round trip. Either end's ping ends the silence of
 * both, so an idle link carries about one ping per interval and not two (docs/internals/decisions/0010-pings-are-for-silence.md).
 */
const INTERVALS_PER_ROUND_TRIP = 3;

export interface LivenessLimits {
  /** Silence of the peer after which it is pinged. */
  readonly pingIntervalMs: number;
  /** Silence after which the peer counts as disconnected: no frame, ping or pong. */
  readonly deadAfterMs: number;
}

/** Liveness of the peer (docs/reference/link.md#liveness). A clock-driven state machine without timers: the owner's tick polls it. */
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
    // After a pause of this process (suspend, a blocked event loop) silence proves nothing: the peer gets the time of one ping to answer.
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
