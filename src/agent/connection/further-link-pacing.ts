import { fullJitterMs } from '../../kernel/backoff.js';
import type { Rng } from '../../kernel/clock.js';

const BACKOFF = { baseMs: 1_000, maxMs: 60_000 };
/** All nodes hear of a new replica in the same second. With the relay's own delay it stays below 30 s. */
const SPREAD_MS = 15_000;
const DUPLICATES_IN_A_ROW = 5;
const AFTER_DUPLICATES_MS = 60_000;

/** When a node that has a link tries to open another one (docs/internals/link-protocol.md#7-several-replicas). */
export class FurtherLinkPacing {
  private attempt = 0;
  private duplicates = 0;

  constructor(private readonly random: Rng) {}

  /** A link was admitted: more may be missing. */
  afterReady(): number {
    this.reset();
    return fullJitterMs(0, BACKOFF, this.random);
  }

  /** Replicas came or went. */
  afterChange(): number {
    this.reset();
    return this.random() * SPREAD_MS;
  }

  /** A link was lost, or an attempt failed. */
  afterLoss(): number {
    this.duplicates = 0;
    return this.backOff();
  }

  /** A load balancer led to a replica that this node has a link to. */
  afterDuplicate(): number {
    this.duplicates += 1;
    return this.duplicates < DUPLICATES_IN_A_ROW ? this.backOff() : AFTER_DUPLICATES_MS;
  }

  private backOff(): number {
    const delayMs = fullJitterMs(this.attempt, BACKOFF, this.random);
    this.attempt += 1;
    return delayMs;
  }

  private reset(): void {
    this.attempt = 0;
    this.duplicates = 0;
  }
}
