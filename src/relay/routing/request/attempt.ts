import type { EndMessage, HeadMessage, OpenMessage, RejectReason, ResetReason } from '../../../link/messages.js';
import type { RelayStreamLoss } from '../../../link/stream/relay-stream.js';
import type { ResetAck } from '../../../link/stream/reset-acks.js';
import type { Placement } from '../../inventory/model-entry.js';
import { CheckedResponse } from '../../nodes/registry/checked-response.js';

/** The owner of an attempt: a request, or its hedge. */
export interface AttemptOwner {
  acknowledged(): void;
  refused(reason: RejectReason): void;
  begun(head: HeadMessage): void;
  received(bytes: Uint8Array): void;
  finished(end: EndMessage): void;
  lost(loss: RelayStreamLoss): void;
  /** See `RelayStreamHandler`. */
  readAhead?(): number;
}

/** One run of a request on one node: the handler of its stream, and the progress of its response in bytes. */
export class Attempt extends CheckedResponse {
  /** Set by the head of a JSON response; null for a stream, and before the head. */
  contentLength: number | null = null;
  /**
   * False inside an event larger than a frame, and inside a JSON body: the relay must not write anything of its own there
   * (docs/reference/link.md#event-boundaries).
   */
  atBoundary = true;
  receivedBytes = 0;
  private consumedBytes = 0;

  constructor(
    readonly placement: Placement,
    private owner: AttemptOwner,
    /** Monotonic. */
    readonly startedAtMs: number,
  ) {
    super();
  }

  /** Changes the owner: a hedge becomes the attempt of its request. */
  handOver(owner: AttemptOwner): void {
    this.owner = owner;
  }

  override readAhead(): number {
    return super.readAhead() + (this.owner.readAhead?.() ?? 0);
  }

  /** @throws LinkUnavailableError when the node's link accepts nothing now. */
  open(head: OpenMessage, body: Buffer): void {
    this.stream = this.placement.node.open(head, body, this);
  }

  /**
   * Idempotent.
   * @param reason sent to the node; null when the stream has ended on its side
   * @returns whether `onStopped` will be called with the node's confirmation
   */
  close(reason: ResetReason | null, onStopped: ((stopped: ResetAck) => void) | null): boolean {
    if (this.over) return false;
    this.over = true;
    if (reason === null || this.stream === null) return false;
    return this.stream.reset(reason, onStopped ?? undefined);
  }

  /** The client's socket has taken these bytes: they become credit for the node. */
  consumed(bytes: number): void {
    this.consumedBytes += bytes;
    if (!this.over) this.stream?.consumed(bytes);
  }

  /** The node may be silent because the client has not read what it sent. */
  get hasUnsentBytes(): boolean {
    return this.consumedBytes < this.receivedBytes;
  }

  protected acknowledged(): void {
    this.owner.acknowledged();
  }

  protected refused(reason: RejectReason): void {
    this.owner.refused(reason);
  }

  protected begun(head: HeadMessage): void {
    this.contentLength = head.content_length;
    this.owner.begun(head);
  }

  protected received(bytes: Uint8Array, atBoundary: boolean): void {
    this.receivedBytes += bytes.byteLength;
    this.atBoundary = this.contentLength === null ? atBoundary : this.receivedBytes === this.contentLength;
    this.owner.received(bytes);
  }

  protected finished(end: EndMessage): void {
    this.owner.finished(end);
  }

  protected lost(loss: RelayStreamLoss): void {
    this.owner.lost(loss);
  }
}
