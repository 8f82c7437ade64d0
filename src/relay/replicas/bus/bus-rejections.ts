import { Injectable, Logger } from '@nestjs/common';
import type { ReplicaId } from '../../../kernel/ids.js';

/**
 * Why a message on the bus was dropped. `unsigned`: without the header of signed messages. `forged`: with a signature that is not that of its
 * sender, topic, receiver and content. `replayed`: not newer than the last one of its sender.
 */
export const rejectionReasons = ['unsigned', 'forged', 'replayed'] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

const LOG_AT_MOST_EVERY_MS = 60_000;

const explanations = {
  unsigned: 'it is unsigned: a relay of an earlier version, which must be updated, or something else that reaches NATS',
  forged: 'its signature is wrong: a relay with another FERRY_SECRET, or something else that reaches NATS',
  replayed: 'it was received before: something else reaches NATS and repeats what relays have sent',
} as const satisfies Record<RejectionReason, string>;

/** Counts what was dropped on all connections to the bus, and says so in the log once a minute for each reason. */
@Injectable()
export class BusRejections {
  readonly counts: Record<RejectionReason, number> = { unsigned: 0, forged: 0, replayed: 0 };
  private readonly logger = new Logger('Replicas');
  private readonly loggedAtMs: Record<RejectionReason, number> = {
    unsigned: -Infinity,
    forged: -Infinity,
    replayed: -Infinity,
  };

  /** @param from as the message says, which may be a lie */
  count(reason: RejectionReason, from: ReplicaId, topic: string): void {
    this.counts[reason] += 1;
    const nowMs = performance.now();
    if (nowMs - this.loggedAtMs[reason] < LOG_AT_MOST_EVERY_MS) return;
    this.loggedAtMs[reason] = nowMs;
    this.logger.error(`a message on the bus is dropped: ${explanations[reason]}`, {
      code: 'bus_message_rejected',
      reason,
      replica: from,
      topic,
      dropped: this.counts[reason],
    });
  }
}
