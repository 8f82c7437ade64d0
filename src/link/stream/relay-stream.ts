import { ResponseStateMachine } from './response-state-machine.js';
import { BodySender } from './body-sender.js';
import { decodeControl, decodeEnd, decodeHead, encodeControl } from '../codec/control-payload.js';
import { ReceiveWindow } from '../connection/credit-window.js';
import type { CreditWaiter } from '../connection/credit-waiters.js';
import { decodeWindow, type Frame } from '../codec/frame-codec.js';
import { StreamQueue } from '../connection/stream-queue.js';
import { FrameType, frameName } from '../codec/frame-types.js';
import type { LinkConnection } from '../connection/link-connection.js';
import type { ReceiveBudget } from '../connection/link-budget.js';
import { LinkProtocolError } from '../link-errors.js';
import {
  rejectMessage,
  resetMessage,
  type EndMessage,
  type HeadMessage,
  type ReadyMessage,
  type RejectMessage,
  type ResetReason,
} from '../messages.js';
import type { ResetAck } from './reset-acks.js';

export type RelayStreamLoss = ResetReason | 'node_disconnected';

/** Callbacks of a request for its stream. Exactly one of `onReject`, `onEnd` and `onLost` comes, as the last call; none after `reset`. */
export interface RelayStreamHandler {
  onAck(): void;
  onReject(message: RejectMessage): void;
  onHead(message: HeadMessage): void;
  /**
   * @param bytes a view into the link's message: forward it at once, or copy it, because it keeps the whole message in memory
   * @param atBoundary false: these bytes end inside an event (or inside a JSON body)
   */
  onData(bytes: Buffer, atBoundary: boolean): void;
  onEnd(message: EndMessage): void;
  onLost(reason: RelayStreamLoss): void;
}

export interface RelayLinkStream {
  readonly id: number;
  /** The client's socket took these bytes: they become credit for the node. */
  taken(bytes: number): void;
  /**
   * Stops the stream on the node. Idempotent; the handler is not called again.
   * @returns whether `onStopped` will be called, exactly once: false when the stream was over, or the node confirms nothing.
   */
  reset(reason: ResetReason, onStopped?: (stopped: ResetAck) => void): boolean;
}

export interface RelayStreamOwner {
  readonly connection: LinkConnection;
  readonly budget: ReceiveBudget;
  readonly limits: ReadyMessage['limits'];
  /** The stream is closed; `lateBytes` of its answer may still be on their way. */
  forget(stream: RelayStream, lateBytes: number): void;
  /** False when the node does not confirm that it has stopped. */
  awaitStop(stream: RelayStream, onStopped: (stopped: ResetAck) => void): boolean;
  budgetScarce(): void;
}

/** One request on a node, seen from the relay: OPEN → ACK → HEAD → DATA… → END, with RESET at any time. */
export class RelayStream implements RelayLinkStream, CreditWaiter {
  private closed = false;
  private readonly order = new ResponseStateMachine((message) => new LinkProtocolError(message));
  private readonly queue: StreamQueue;
  private readonly body: BodySender;
  private readonly answer: ReceiveWindow;
  /** Missing in the node's last STREAMS: one more round, and the stream is an orphan. */
  private missed = false;

  constructor(
    readonly id: number,
    private readonly owner: RelayStreamOwner,
    body: Buffer,
    private readonly handler: RelayStreamHandler,
  ) {
    const { connection, limits } = owner;
    this.queue = new StreamQueue(id);
    this.body = new BodySender(body, limits.to_node_window_bytes, this.queue, connection.batcher);
    this.answer = new ReceiveWindow(limits.to_relay_window_bytes);
  }

  /** Body bytes that the node has not granted again. */
  get owedBytes(): number {
    return this.body.outstanding;
  }

  /** @param head the encoded OPEN message */
  start(head: Buffer): void {
    const { batcher, waiters, nowMs } = this.owner.connection;
    batcher.pushControl(this.queue, FrameType.open, head);
    if (!this.resume().done) waiters.add(this, nowMs());
  }

  resume(): { sent: number; done: boolean } {
    return this.body.resume();
  }

  expire(): void {
    this.abandon('timed_out');
  }

  taken(bytes: number): void {
    if (!this.closed) this.grant(bytes, this.owner.budget.scarce);
  }

  /** Grants the credit that was held back. */
  grantHeld(): void {
    this.grant(0, true);
  }

  reset(reason: ResetReason, onStopped?: (stopped: ResetAck) => void): boolean {
    if (this.closed) return false;
    this.sendReset(reason);
    this.finish(this.answer.available);
    return onStopped !== undefined && this.owner.awaitStop(this, onStopped);
  }

  /** The node's list of open streams came. Missing in two of them in a row, a stream was neither just opened nor just ended. */
  reconcile(listed: boolean): void {
    if (!listed && this.missed) this.abandon('unknown_stream');
    this.missed = !listed;
  }

  disconnected(): void {
    this.lost('node_disconnected', 0);
  }

  /** @throws LinkProtocolError */
  handle(frame: Frame): void {
    switch (frame.type) {
      case FrameType.data:
      case FrameType.dataMore:
        this.onData(frame.payload, frame.type === FrameType.data);
        return;
      case FrameType.window:
        this.onWindow(frame);
        return;
      case FrameType.ack:
        this.onAck(frame);
        return;
      case FrameType.reject:
        this.onReject(frame);
        return;
      case FrameType.head:
        this.onHead(frame);
        return;
      case FrameType.end:
        this.onEnd(frame);
        return;
      case FrameType.reset:
        this.lost(decodeControl(resetMessage, frame).reason, 0);
        return;
      default:
        throw new LinkProtocolError(`${frameName(frame.type)} is not for the relay`);
    }
  }

  private onWindow(frame: Frame): void {
    const { waiters, nowMs } = this.owner.connection;
    this.body.replenish(decodeWindow(frame.payload));
    waiters.resume(this, nowMs());
  }

  private onAck(frame: Frame): void {
    if (frame.payload.length > 0) throw new LinkProtocolError('malformed ACK');
    this.order.acknowledge();
    this.guarded(() => {
      this.handler.onAck();
    });
  }

  private onReject(frame: Frame): void {
    const message = decodeControl(rejectMessage, frame);
    this.order.reject();
    this.finish(0);
    this.owner.connection.attempt(() => {
      this.handler.onReject(message);
    });
  }

  private onHead(frame: Frame): void {
    const message = decodeHead(frame);
    this.order.head(message.content_length);
    this.guarded(() => {
      this.handler.onHead(message);
    });
  }

  /** Hot path: no closure, no promise, no parsing. */
  private onData(bytes: Buffer, atBoundary: boolean): void {
    if (bytes.length === 0) throw new LinkProtocolError('empty DATA');
    this.order.data(bytes.length, atBoundary);
    this.answer.received(bytes.length);
    if (this.owner.budget.received(bytes.length)) this.owner.budgetScarce();
    try {
      this.handler.onData(bytes, atBoundary);
    } catch (error) {
      this.crashed(error);
    }
  }

  private onEnd(frame: Frame): void {
    const message = decodeEnd(frame);
    this.order.end(message.outcome);
    this.finish(0);
    this.owner.connection.attempt(() => {
      this.handler.onEnd(message);
    });
  }

  private guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.crashed(error);
    }
  }

  /** A handler threw: its request ends, the link and all others continue. */
  private crashed(error: unknown): void {
    this.owner.connection.report(error);
    this.abandon('internal');
  }

  /** Ended by this side; the request is notified of the reason. */
  private abandon(reason: ResetReason): void {
    if (this.closed) return;
    this.sendReset(reason);
    this.lost(reason, this.answer.available);
  }

  private grant(bytes: number, atOnce: boolean): void {
    const credit = this.answer.taken(bytes, atOnce);
    if (credit === 0) return;
    this.owner.budget.released(credit);
    this.owner.connection.sendWindow(this.id, credit);
  }

  private sendReset(reason: ResetReason): void {
    const { batcher } = this.owner.connection;
    batcher.pushControl(this.queue, FrameType.reset, encodeControl(resetMessage, { reason }));
  }

  private lost(reason: RelayStreamLoss, lateBytes: number): void {
    if (this.closed) return;
    this.finish(lateBytes);
    this.owner.connection.attempt(() => {
      this.handler.onLost(reason);
    });
  }

  /** @param lateBytes what the node may have sent before it learns of the end */
  private finish(lateBytes: number): void {
    this.closed = true;
    this.body.release();
    this.owner.connection.batcher.dropBytes(this.queue);
    this.owner.connection.waiters.remove(this);
    this.owner.budget.released(this.answer.outstanding);
    this.owner.forget(this, lateBytes);
  }
}
