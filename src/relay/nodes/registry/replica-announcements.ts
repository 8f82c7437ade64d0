import type { Clock } from '../../../kernel/clock.js';
import type { ReplicasMessage } from '../../../link/messages.js';
import type { LiveReplicas } from '../handshake/live-replicas.js';

/** Limits of the message: with more replicas than that, nodes use the public address for the rest. */
const MAX_REPLICAS = 10_000;
const MAX_LINK_ADDRESSES = 64;
/** A replica that comes and goes must not make every node dial at each step. */
const LEAST_INTERVAL_MS = 5_000;

/** Announces the replicas of this relay to nodes: in READY, after a change, and in GOAWAY. */
export class ReplicaAnnouncements {
  private announced: string;
  private announcedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly live: LiveReplicas,
    /** The link address of this replica. */
    private readonly linkAddress: string | null,
    private readonly clock: Clock,
  ) {
    this.announced = this.fingerprint(this.current());
  }

  current(): ReplicasMessage {
    return {
      live: Math.min(MAX_REPLICAS, Math.max(1, this.live.count())),
      link_addresses: this.live.linkAddresses().slice(0, MAX_LINK_ADDRESSES),
    };
  }

  /** GOAWAY leaves out this replica, which drains. */
  staying(): ReplicasMessage {
    const { live, link_addresses: addresses } = this.current();
    return { live: live - 1, link_addresses: addresses.filter((address) => address !== this.linkAddress) };
  }

  /**
   * @returns the current message if it differs from the last one announced, or a replica has joined since; null otherwise, or too soon after
   *   that. Called about once a second.
   */
  changed(): ReplicasMessage | null {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.announcedAtMs < LEAST_INTERVAL_MS) return null;
    const message = this.current();
    const text = this.fingerprint(message);
    if (text === this.announced) return null;
    this.announced = text;
    this.announcedAtMs = nowMs;
    return message;
  }

  /** A replica that was restarted changes nothing in the message, but nodes that lost their link to it may dial at once. */
  private fingerprint(message: ReplicasMessage): string {
    return JSON.stringify([message, this.live.joins()]);
  }
}
