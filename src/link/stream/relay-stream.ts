import { ResponseStateMachine } from './response-state-machine.js';
import { BodySender } from './body-sender.js';
import { decodeControl, decodeEnd, decodeHead, encodeControl } from '../codec/control-payload.js';
import { ReceiveWindow } from '../connection/credit-window.js';
import type { CreditWaiter } from '../connection/credit-waiters.js';
import { decodeWindow, type Frame } from '../codec/frame-codec.js';
import { StreamQueue } from '../connection/stream-queue.js';
import { FrameType, frameName } from '../codec/frame-types.js';
import { decodeWhole } from '../codec/whole-response.js';
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

/** Callbacks of a stream's request. Exactly one of `onReject`, `onEnd` and `onLost` is called, last. None is called after `reset`. */
export interface RelayStreamHandler {
  onAck(): void;
  onReject(message: RejectMessage): void;
  onHead(message: HeadMessage): void;
  /**
   * @param bytes a view of the link's message, which it keeps in memory as a whole: forward it at once or copy it
   * @param atBoundary false when these bytes end inside an event or a JSON body
   */
  onData(bytes: Buffer, atBoundary: boolean): void;
  onEnd(message: EndMessage): void;
  onLost(reason: RelayStreamLoss): void;
  /** Reads what `onData` will read, of which there is much, and changes nothing. The sum of it means nothing. */
  readAhead?(): number;
}

export interface RelayLinkStream {
  readonly id: number;
  /** The client's socket accepted these bytes: returns them to the node as credit. */
  consumed(bytes: number): void;
  /**
   * Stops the stream on the node. Idempotent; the handler is not called again.
   * @returns true when `onStopped` will be called, exactly once. False when the stream had ended.
   */
  reset(reason: ResetReason, onStopped?: (stopped: ResetAck) => void): boolean;
}

export interface RelayStreamOwner {
  readonly connection: LinkConnection;
  readonly budget: ReceiveBudget;
  readonly limits: ReadyMessage['limits'];
  /** The stream is closed; up to `lateBytes` of its response may still be in flight. */
  forget(stream: RelayStream, lateBytes: number): void;
  /** The node confirms the reset when its engine has stopped. */
  awaitStop(stream: RelayStream, onStopped: (stopped: ResetAck) => void): void;
  /** It was reset while its handler took the last frame, which is the confirmation. */
  endedWhileReset(stream: RelayStream, end: EndMessage): void;
  budgetScarce(): void;
}

/** The relay's end of one request: OPEN → ACK → HEAD → DATA… → END, or OPEN → WHOLE, with RESET at any time. */
export class RelayStream implements RelayLinkStream, CreditWaiter {
  private closed = false;
  private readonly responseState = new ResponseStateMachine((message) => new LinkProtocolError(message));
  private readonly queue: StreamQueue;
  private readonly bodySender: BodySender;
  private readonly receiveWindow: ReceiveWindow;
  /** Missing from the node's last STREAMS. Missing from the next one too, the stream is an orphan. */
  private missing = false;

  constructor(
    readonly id: number,
    private readonly owner: RelayStreamOwner,
    body: Buffer,
    private readonly handler: RelayStreamHandler,
  ) {
    const { connection, limits } = owner;
    this.queue = new StreamQueue(id);
    this.bodySender = new BodySender(body, limits.to_node_window_bytes, this.queue, connection.batcher);
    this.receiveWindow = new ReceiveWindow(limits.to_relay_window_bytes);
  }

  /** Body bytes sent and not yet returned as credit. */
  get pendingCreditBytes(): number {
    return this.bodySender.outstanding;
  }

  /** @param head the encoded OPEN message */
  start(head: Buffer): void {
    const { batcher, waiters, nowMs } = this.owner.connection;
    batcher.pushControl(this.queue, FrameType.open, head);
    if (!this.resume().done) waiters.add(this, nowMs());
  }

  resume(): { sent: number; done: boolean } {
    return this.bodySender.resume();
  }

  expire(): void {
    this.abandon('timed_out');
  }

  consumed(bytes: number): void {
    if (!this.closed) this.grant(bytes, this.owner.budget.scarce);
  }

  /** Grants the credit that was held back. */
  grantHeld(): void {
    this.grant(0, true);
  }

  reset(reason: ResetReason, onStopped?: (stopped: ResetAck) => void): boolean {
    if (this.closed) return false;
    this.sendReset(reason);
    this.finish(this.receiveWindow.available);
    if (onStopped === undefined) return false;
    this.owner.awaitStop(this, onStopped);
    return true;
  }

  /** Applies one STREAMS message. A stream missing from two consecutive ones was neither just opened nor just ended. */
  reconcile(listed: boolean): void {
    if (!listed && this.missing) this.abandon('unknown_stream');
    this.missing = !listed;
  }

  disconnected(): void {
    this.lost('node_disconnected', 0);
  }

  /** Delegates to its handler, which knows how far the client has read. */
  readAhead(): number {
    return (
      this.receiveWindow.outstanding + (this.responseState.acknowledged ? 1 : 0) + (this.handler.readAhead?.() ?? 0)
    );
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
      case FrameType.whole:
        this.onWhole(frame);
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
    this.bodySender.replenish(decodeWindow(frame.payload));
    waiters.resume(this, nowMs());
  }

  private onAck(frame: Frame): void {
    if (frame.payload.length > 0) throw new LinkProtocolError('malformed ACK');
    this.responseState.acknowledge();
    this.callHandler(() => {
      this.handler.onAck();
    });
  }

  private onReject(frame: Frame): void {
    const message = decodeControl(rejectMessage, frame);
    this.responseState.reject();
    this.finish(0);
    this.owner.connection.attempt(() => {
      this.handler.onReject(message);
    });
  }

  private onHead(frame: Frame): void {
    const message = decodeHead(frame);
    this.responseState.head(message.content_length);
    this.callHandler(() => {
      this.handler.onHead(message);
    });
  }

  /** Hot path: no closure, no promise, no parsing. */
  private onData(bytes: Buffer, atBoundary: boolean): void {
    if (bytes.length === 0) throw new LinkProtocolError('empty DATA');
    this.responseState.data(bytes.length, atBoundary);
    this.receiveWindow.received(bytes.length);
    if (this.owner.budget.received(bytes.length)) this.owner.budgetScarce();
    try {
      this.handler.onData(bytes, atBoundary);
    } catch (error) {
      this.handlerThrew(error);
    }
  }

  /** The handler gets what ACK, HEAD, DATA and END would have told it, in one turn; it may reset the stream at any of them. */
  private onWhole(frame: Frame): void {
    const { head, body, end } = decodeWhole(frame.payload);
    const { acknowledged } = this.responseState;
    this.responseState.whole();
    this.receiveWindow.received(body.length);
    if (this.owner.budget.received(body.length)) this.owner.budgetScarce();
    try {
      if (!acknowledged) this.handler.onAck();
      if (!this.closed) this.handler.onHead(head);
      if (!this.closed) this.handler.onData(body, true);
    } catch (error) {
      this.handlerThrew(error);
    }
    if (this.closed) this.owner.endedWhileReset(this, end);
    else this.ended(end);
  }

  private onEnd(frame: Frame): void {
    const message = decodeEnd(frame);
    this.responseState.end(message.outcome);
    this.ended(message);
  }

  private ended(message: EndMessage): void {
    this.finish(0);
    this.owner.connection.attempt(() => {
      this.handler.onEnd(message);
    });
  }

  private callHandler(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.handlerThrew(error);
    }
  }

  /** A handler threw: only its own request ends. */
  private handlerThrew(error: unknown): void {
    this.owner.connection.report(error);
    this.abandon('internal');
  }

  /** Resets the stream and reports the reason to the request. */
  private abandon(reason: ResetReason): void {
    if (this.closed) return;
    this.sendReset(reason);
    this.lost(reason, this.receiveWindow.available);
  }

  private grant(bytes: number, immediately: boolean): void {
    const credit = this.receiveWindow.consumed(bytes, immediately);
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

  /** @param lateBytes the most that the node may have sent before it learns of the end */
  private finish(lateBytes: number): void {
    this.closed = true;
    this.bodySender.release();
    this.owner.connection.batcher.dropBytes(this.queue);
    this.owner.connection.waiters.remove(this);
    this.owner.budget.released(this.receiveWindow.outstanding);
    this.owner.forget(this, lateBytes);
  }
}
