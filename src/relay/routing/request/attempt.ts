import type {
  EndMessage,
  HeadMessage,
  OpenMessage,
  RejectMessage,
  RejectReason,
  ResetReason,
} from '../../../link/messages.js';
import type { ResetAck } from '../../../link/stream/reset-acks.js';
import type { RelayLinkStream, RelayStreamHandler, RelayStreamLoss } from '../../../link/stream/relay-stream.js';
import type { Placement } from '../../inventory/model-entry.js';

/** What a request hears of the node that it is on now. */
export interface AttemptOwner {
  acknowledged(): void;
  refused(reason: RejectReason): void;
  begun(head: HeadMessage): void;
  received(bytes: Uint8Array, atBoundary: boolean): void;
  finished(end: EndMessage): void;
  lost(loss: RelayStreamLoss): void;
}

/** One try of a request on one node. What a node says on a try that is over reaches nobody, so an old try cannot disturb a new one. */
export class Attempt implements RelayStreamHandler {
  private stream: RelayLinkStream | null = null;
  private over = false;

  constructor(
    readonly placement: Placement,
    private owner: AttemptOwner,
    /** Monotonic. */
    readonly startedAtMs: number,
  ) {}

  /** Somebody else hears of it from now on. */
  handOver(owner: AttemptOwner): void {
    this.owner = owner;
  }

  /** @throws LinkUnavailableError when the node's link takes nothing now. */
  open(head: OpenMessage, body: Buffer): void {
    this.stream = this.placement.node.open(head, body, this);
  }

  /**
   * Idempotent.
   * @param reason what the node is told; null when it is over on its side, too
   * @returns whether `onStopped` will hear how the node took it
   */
  close(reason: ResetReason | null, onStopped: ((stopped: ResetAck) => void) | null): boolean {
    if (this.over) return false;
    this.over = true;
    if (reason === null || this.stream === null) return false;
    return this.stream.reset(reason, onStopped ?? undefined);
  }

  taken(bytes: number): void {
    if (!this.over) this.stream?.taken(bytes);
  }

  onAck(): void {
    if (!this.over) this.owner.acknowledged();
  }

  onReject(message: RejectMessage): void {
    if (!this.over) this.owner.refused(message.reason);
  }

  onHead(message: HeadMessage): void {
    if (!this.over) this.owner.begun(message);
  }

  onData(bytes: Buffer, atBoundary: boolean): void {
    if (!this.over) this.owner.received(bytes, atBoundary);
  }

  onEnd(message: EndMessage): void {
    if (!this.over) this.owner.finished(message);
  }

  onLost(reason: RelayStreamLoss): void {
    if (!this.over) this.owner.lost(reason);
  }
}
