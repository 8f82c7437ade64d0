import { decodeControl, encodeControl } from './control-payload.js';
import { ReceiveWindow, SendWindow } from './credit-window.js';
import type { CreditWaiter } from './credit-waiters.js';
import { decodeWindow, type Frame } from './frame-codec.js';
import { FrameLane } from './frame-lane.js';
import { FrameType, frameName } from './frame-types.js';
import type { LinkConnection } from './link-connection.js';
import type { ReceiveBudget } from './link-budget.js';
import { LinkProtocolError } from './link-errors.js';
import {
  endMessage,
  headMessage,
  rejectMessage,
  resetMessage,
  type EndMessage,
  type HeadMessage,
  type ReadyMessage,
  type RejectMessage,
  type ResetReason,
} from './messages.js';

export type RelayStreamLoss = ResetReason | 'node_disconnected';

/** What a request hears from its node. Exactly one of `onReject`, `onEnd` and `onLost` comes, as the last call; none after `reset`. */
export interface RelayStreamHandler {
  onAck(): void;
  onReject(message: RejectMessage): void;
  onHead(message: HeadMessage): void;
  /**
   * @param bytes a view into the link's message: write it on at once, or copy it, because whoever keeps it keeps the whole message
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
  /** Stops the stream on the node. Idempotent; the handler is not called again. */
  reset(reason: ResetReason): void;
}

export interface RelayStreamOwner {
  readonly connection: LinkConnection;
  readonly budget: ReceiveBudget;
  readonly limits: ReadyMessage['limits'];
  /** The stream is closed; `lateBytes` of its answer may still be on their way. */
  forget(stream: RelayStream, lateBytes: number): void;
  budgetScarce(): void;
}

/** One request on a node, seen from the relay: OPEN → ACK → HEAD → DATA… → END, with RESET at any time. */
export class RelayStream implements RelayLinkStream, CreditWaiter {
  private phase: 'opened' | 'acknowledged' | 'answering' | 'closed' = 'opened';
  private readonly lane: FrameLane;
  private readonly toNode: SendWindow;
  private readonly fromNode: ReceiveWindow;
  private bodySent = 0;
  private bodyDone = false;
  private received = 0;
  private contentLength: number | null = null;
  private insideEvent = false;
  /** Missing in the node's last STREAMS: one more round, and the stream is an orphan. */
  private missed = false;

  constructor(
    readonly id: number,
    private readonly owner: RelayStreamOwner,
    private readonly body: Buffer,
    private readonly handler: RelayStreamHandler,
  ) {
    this.lane = new FrameLane(id);
    this.toNode = new SendWindow(owner.limits.to_node_window_bytes);
    this.fromNode = new ReceiveWindow(owner.limits.to_relay_window_bytes);
  }

  /** Body bytes that the node has not granted again. */
  get owedBytes(): number {
    return this.toNode.outstanding;
  }

  /** @param head the encoded OPEN message */
  start(head: Buffer): void {
    const { connection } = this.owner;
    connection.batcher.pushControl(this.lane, FrameType.open, head);
    if (!this.resume().done) connection.waiters.add(this, connection.nowMs());
  }

  resume(): { sent: number; done: boolean } {
    const rest = this.body.length - this.bodySent;
    const sent = Math.min(rest, this.toNode.available);
    if (!this.bodyDone && (sent > 0 || rest === 0)) {
      this.bodyDone = sent === rest;
      this.toNode.consume(sent);
      const piece = this.body.subarray(this.bodySent, this.bodySent + sent);
      this.bodySent += sent;
      this.owner.connection.batcher.pushBody(this.lane, piece, this.bodyDone);
    }
    return { sent, done: this.bodyDone };
  }

  expire(): void {
    this.abandon('timed_out');
  }

  taken(bytes: number): void {
    if (this.phase === 'closed') return;
    this.grant(bytes, this.owner.budget.scarce);
  }

  grantAll(): void {
    this.grant(0, true);
  }

  reset(reason: ResetReason): void {
    if (this.phase === 'closed') return;
    this.sendReset(reason);
    this.finish(this.fromNode.available);
  }

  /** The node's list of open streams came. Answers true when the stream is an orphan: missing twice, so not just opened or ended. */
  reconcile(listed: boolean): boolean {
    const orphan = !listed && this.missed;
    this.missed = !listed;
    return orphan;
  }

  orphaned(): void {
    this.abandon('unknown_stream');
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
        this.toNode.replenish(decodeWindow(frame.payload));
        this.owner.connection.waiters.resume(this, this.owner.connection.nowMs());
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

  private onAck(frame: Frame): void {
    this.expect('opened', frame);
    if (frame.payload.length > 0) throw new LinkProtocolError('malformed ACK');
    this.phase = 'acknowledged';
    this.guarded(() => {
      this.handler.onAck();
    });
  }

  private onReject(frame: Frame): void {
    this.expect('opened', frame);
    const message = decodeControl(rejectMessage, frame);
    this.finish(0);
    this.owner.connection.attempt(() => {
      this.handler.onReject(message);
    });
  }

  private onHead(frame: Frame): void {
    this.expect('acknowledged', frame);
    const message = decodeControl(headMessage, frame);
    this.phase = 'answering';
    this.contentLength = message.content_length;
    this.guarded(() => {
      this.handler.onHead(message);
    });
  }

  private onData(bytes: Buffer, atBoundary: boolean): void {
    if (this.phase !== 'answering') throw new LinkProtocolError('DATA before HEAD');
    if (bytes.length === 0) throw new LinkProtocolError('empty DATA');
    this.fromNode.received(bytes.length);
    const nowScarce = this.owner.budget.received(bytes.length);
    this.received += bytes.length;
    if (this.contentLength !== null && this.received > this.contentLength) {
      throw new LinkProtocolError('DATA beyond the content length');
    }
    this.insideEvent = !atBoundary;
    if (nowScarce) this.owner.budgetScarce();
    try {
      this.handler.onData(bytes, atBoundary);
    } catch (error) {
      this.crashed(error);
    }
  }

  private onEnd(frame: Frame): void {
    const message = decodeControl(endMessage, frame);
    if (this.phase === 'opened') throw new LinkProtocolError('END before ACK');
    if (message.outcome === 'completed') this.checkComplete();
    this.finish(0);
    this.owner.connection.attempt(() => {
      this.handler.onEnd(message);
    });
  }

  /** A node that says "completed" must have sent a whole answer: otherwise a cut answer would look finished. */
  private checkComplete(): void {
    if (this.phase !== 'answering') throw new LinkProtocolError('completed without HEAD');
    if (this.insideEvent) throw new LinkProtocolError('completed inside an event');
    if (this.contentLength !== null && this.received !== this.contentLength) {
      throw new LinkProtocolError('completed short of the content length');
    }
  }

  private expect(phase: 'opened' | 'acknowledged', frame: Frame): void {
    if (this.phase !== phase) throw new LinkProtocolError(`${frameName(frame.type)} out of order`);
  }

  private guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.crashed(error);
    }
  }

  /** A handler threw: its request is over, the link and all others go on. */
  private crashed(error: unknown): void {
    this.owner.connection.report(error);
    this.abandon('internal');
  }

  /** Ended by this side, for a reason that the request must hear. */
  private abandon(reason: ResetReason): void {
    if (this.phase === 'closed') return;
    this.sendReset(reason);
    this.lost(reason, this.fromNode.available);
  }

  private grant(bytes: number, atOnce: boolean): void {
    const credit = this.fromNode.taken(bytes, atOnce);
    if (credit === 0) return;
    this.owner.budget.released(credit);
    this.owner.connection.sendWindow(this.id, credit);
  }

  private sendReset(reason: ResetReason): void {
    this.owner.connection.batcher.pushControl(this.lane, FrameType.reset, encodeControl(resetMessage, { reason }));
  }

  private lost(reason: RelayStreamLoss, lateBytes: number): void {
    if (this.phase === 'closed') return;
    this.finish(lateBytes);
    this.owner.connection.attempt(() => {
      this.handler.onLost(reason);
    });
  }

  /** @param lateBytes what the node may have sent before it learns of the end */
  private finish(lateBytes: number): void {
    this.phase = 'closed';
    this.owner.connection.batcher.dropBytes(this.lane);
    this.owner.connection.waiters.remove(this);
    this.owner.budget.released(this.fromNode.outstanding);
    this.owner.forget(this, lateBytes);
  }
}
