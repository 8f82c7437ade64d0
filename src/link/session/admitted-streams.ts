import type { GenerationalMap } from '../../kernel/generational-map.js';
import { ReceiveBudget } from '../connection/link-budget.js';
import type { LinkConnection } from '../connection/link-connection.js';
import type { EndMessage, ReadyMessage } from '../messages.js';
import type { RelayStream, RelayStreamOwner } from '../stream/relay-stream.js';
import type { ResetAck, ResetAcks } from '../stream/reset-acks.js';

/** Shared by the streams of an admitted node. A class, because a function for each member takes 270 bytes more of each link. */
export class AdmittedStreams implements RelayStreamOwner {
  readonly budget: ReceiveBudget;

  constructor(
    readonly connection: LinkConnection,
    readonly limits: ReadyMessage['limits'],
    private readonly streams: GenerationalMap<number, RelayStream>,
    private readonly resetAcks: ResetAcks,
  ) {
    this.budget = new ReceiveBudget(limits.max_outstanding_bytes);
  }

  forget(stream: RelayStream, lateBytes: number): void {
    this.streams.take(stream.id);
    this.connection.late.streamClosed(stream.id, lateBytes, this.limits.max_outstanding_bytes);
  }

  awaitStop(stream: RelayStream, onStopped: (stopped: ResetAck) => void): void {
    this.resetAcks.expect(stream.id, onStopped);
  }

  endedWhileReset(stream: RelayStream, end: EndMessage): void {
    this.resetAcks.ended(stream.id, end);
  }

  budgetScarce(): void {
    for (const stream of this.streams.values()) stream.grantHeld();
  }
}
