import type { Clock } from '../../../kernel/clock.js';
import type { ReplicasMessage } from '../../../link/messages.js';
import type { LiveReplicas } from '../handshake/live-replicas.js';

/** Limits of the message: with more replicas than that, nodes use the public address for the rest. */
const MAX_REPLICAS = 10_000;
const MAX_LINK_ADDRESSES = 64;
/** A replica that comes and goes must not make every node dial at each step. */
const LEAST_INTERVAL_MS = 5_000;

/** What nodes are told of the replicas of this relay: in READY, when it changes, and in GOAWAY. */
export class ReplicaNews {
  private told: string;
  private toldAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly live: LiveReplicas,
    /** Of this replica. */
    private readonly linkAddress: string | null,
    private readonly clock: Clock,
  ) {
    this.told = JSON.stringify(this.current());
  }

  current(): ReplicasMessage {
    return {
      live: Math.min(MAX_REPLICAS, Math.max(1, this.live.count())),
      link_addresses: this.live.linkAddresses().slice(0, MAX_LINK_ADDRESSES),
    };
  }

  /** Without this replica, which drains. */
  staying(): ReplicasMessage {
    const { live, link_addresses: addresses } = this.current();
    return { live: live - 1, link_addresses: addresses.filter((address) => address !== this.linkAddress) };
  }

  /** What has changed since the last call that returned it; null: nothing, or too soon after it. Call about once a second. */
  changed(): ReplicasMessage | null {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.toldAtMs < LEAST_INTERVAL_MS) return null;
    const message = this.current();
    const text = JSON.stringify(message);
    if (text === this.told) return null;
    this.told = text;
    this.toldAtMs = nowMs;
    return message;
  }
}
