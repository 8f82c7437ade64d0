/**
 * A ping is sent after silence; every third interval one is sent to measure the round trip. Either end's ping ends the silence of
 * both, so an idle link carries about one ping per interval and not two (docs/internals/decisions/0010-pings-are-for-silence.md).
 */
const INTERVALS_PER_ROUND_TRIP = 3;
/**
 * A new link is pinged more often until it has three round trips: routing compares nodes by them, and a node without one would lose its
 * conversations to one that has been connected for some seconds longer.
 */
const FIRST_PINGS_PER_INTERVAL = 10;

export interface LivenessLimits {
  /** Silence of the peer after which it is pinged. */
  readonly pingIntervalMs: number;
  /** Silence after which the peer counts as disconnected: no frame, ping or pong. */
  readonly deadAfterMs: number;
}

/** Liveness of the peer (docs/reference/link.md#liveness). A clock-driven state machine without timers: the owner's tick polls it. */
export class Liveness {
  private receivedAtMs: number;
  private checkedAtMs: number;
  private pingedAtMs: number;
  private pongDue = false;
  private leastRoundTripMs: number | null = null;
  private lastRoundTripMs = Infinity;
  private secondLastRoundTripMs = Infinity;
  private thirdLastRoundTripMs = Infinity;

  constructor(
    private readonly limits: LivenessLimits,
    nowMs: number,
  ) {
    this.receivedAtMs = nowMs;
    this.checkedAtMs = nowMs;
    this.pingedAtMs = nowMs;
  }

  /** The least of the last three: more than that is time that a busy process took, at either end, and not the link. */
  get roundTripMs(): number | null {
    return this.leastRoundTripMs;
  }

  /** Any message or ping came. */
  received(nowMs: number): void {
    this.receivedAtMs = nowMs;
  }

  pong(nowMs: number): void {
    this.receivedAtMs = nowMs;
    if (!this.pongDue) return;
    this.pongDue = false;
    this.thirdLastRoundTripMs = this.secondLastRoundTripMs;
    this.secondLastRoundTripMs = this.lastRoundTripMs;
    this.lastRoundTripMs = nowMs - this.pingedAtMs;
    this.leastRoundTripMs = Math.min(this.lastRoundTripMs, this.secondLastRoundTripMs, this.thirdLastRoundTripMs);
  }

  check(nowMs: number): 'fine' | 'ping' | 'dead' {
    const { pingIntervalMs, deadAfterMs } = this.limits;
    // After a pause of this process (suspend, a blocked event loop) silence proves nothing: the peer gets the time of one ping to answer.
    if (nowMs - this.checkedAtMs > pingIntervalMs) {
      this.receivedAtMs = Math.max(this.receivedAtMs, nowMs - deadAfterMs + pingIntervalMs);
    }
    this.checkedAtMs = nowMs;
    if (nowMs - this.receivedAtMs >= deadAfterMs) return 'dead';
    if (nowMs - this.pingedAtMs < this.intervalMs(nowMs - this.receivedAtMs)) return 'fine';
    this.pingedAtMs = nowMs;
    this.pongDue = true;
    return 'ping';
  }

  /** Time between two pings. */
  private intervalMs(silentMs: number): number {
    const { pingIntervalMs } = this.limits;
    if (this.thirdLastRoundTripMs === Infinity)
      return this.pongDue ? pingIntervalMs : pingIntervalMs / FIRST_PINGS_PER_INTERVAL;
    return silentMs >= pingIntervalMs ? pingIntervalMs : INTERVALS_PER_ROUND_TRIP * pingIntervalMs;
  }
}
