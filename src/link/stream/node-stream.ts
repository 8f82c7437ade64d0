import type { z } from 'zod';
import { ResponseStateMachine } from './response-state-machine.js';
import { ResponseWriter } from './response-writer.js';
import { decodeControl, encodeControl, encodeEnd, encodeHead } from '../codec/control-payload.js';
import { ReceiveWindow } from '../connection/credit-window.js';
import { decodeBody, decodeWindow, type Frame } from '../codec/frame-codec.js';
import { StreamQueue } from '../connection/stream-queue.js';
import { FrameType, frameName, MAX_WHOLE_BODY_BYTES } from '../codec/frame-types.js';
import { encodeWholeHead } from '../codec/whole-response.js';
import type { SendBudget } from '../connection/link-budget.js';
import type { LinkConnection } from '../connection/link-connection.js';
import type { AckHolder, HeldAcks } from './held-acks.js';
import { LinkProtocolError, LinkStreamClosedError, type StreamClosedReason } from '../link-errors.js';
import {
  endMessage,
  nodeFailure,
  rejectMessage,
  resetMessage,
  type EndMessage,
  type HeadMessage,
  type OpenMessage,
  type ReadyMessage,
  type RejectReason,
  type ResetReason,
} from '../messages.js';

/** Callbacks of the agent for one request. */
export interface NodeStreamHandler {
  /** @param chunk a view of the link's message; `bodyTaken` returns its credit */
  onBody(chunk: Buffer, last: boolean): void;
  /** Cancel the request on the engine. Not called after `end` or `reject`; nothing is called after it. */
  onReset(reason: ResetReason | 'link_closed'): void;
}

/**
 * The agent's interface to one request: `ack` (or `reject`), `head`, `write`…, `end` (or `whole`). A call out of that order is a bug in the agent and
 * throws. After a reset all calls are no-ops, except that `write` rejects and the first `end` confirms that the engine has stopped.
 */
export interface NodeLinkStream {
  readonly id: number;
  /** May be held for a moment, to go with a short response in one frame. */
  ack(): void;
  reject(reason: RejectReason, message?: string): void;
  /** Names of dropped fields are truncated or omitted where they exceed the limits of the message. */
  head(message: HeadMessage): void;
  /**
   * One write at a time.
   * @param bytes whole events, or a piece of any size of the JSON body; must not change until sent
   * @param atBoundary of a stream: false when these bytes end inside an event. Absent: they end with one.
   * @returns undefined when everything was within credit; otherwise a promise that resolves when the rest is sent, and rejects with
   *   LinkStreamClosedError when the stream is reset or no credit arrives within the back-pressure timeout
   */
  write(bytes: Uint8Array, atBoundary?: boolean): Promise<void> | undefined;
  /** Whether `whole` may be called now for a body of this length. */
  takesWhole(bytes: number): boolean;
  /**
   * Instead of `head`, `write` and `end`, for a complete response: one frame where that can say it, and otherwise those three.
   * @param bytes must not change until sent
   */
  whole(head: HeadMessage, bytes: Uint8Array, end: EndMessage): void;
  /**
   * Fields that exceed the limits of the message are truncated or omitted: a long engine error or an invalid count must not lose the outcome.
   * After a reset, call it when the engine has stopped, with the usage so far; the outcome is then sent as `cancelled`.
   */
  end(message: EndMessage): void;
  /** The agent has consumed these body bytes: returns them to the relay as credit. */
  bodyTaken(bytes: number): void;
  /** Ends the stream without an outcome; what is not sent yet is dropped. `onReset` is not called. Does nothing when it has ended. */
  abandon(reason: ResetReason): void;
}

export interface NodeStreamOwner {
  readonly connection: LinkConnection;
  readonly budget: SendBudget;
  readonly limits: ReadyMessage['limits'];
  /** ACKs that wait for a short response. */
  readonly heldAcks: HeldAcks;
  /** The stream is closed; up to `lateBytes` of its body may still be in flight. */
  forget(stream: NodeStream, lateBytes: number): void;
  /** Resumes streams that wait for the link's budget. */
  budgetFreed(): void;
  /** Runs `release` when everything queued by now is sent. */
  afterFlush(release: () => void): void;
}

const MAX_MESSAGE_CHARACTERS = 4_000;
const MAX_SHORT_CHARACTERS = 200;
const MAX_DROPPED_FIELDS = 64;
const EMPTY = new Uint8Array(0);

/** The node's end of one request. */
export class NodeStream implements NodeLinkStream, AckHolder {
  private closedBy: StreamClosedReason | null = null;
  private readonly responseState = new ResponseStateMachine((message) => new Error(message));
  private readonly queue: StreamQueue;
  private readonly writer: ResponseWriter;
  private readonly receiveWindow: ReceiveWindow;
  private handler: NodeStreamHandler | undefined;
  private remainingBodyBytes: number;
  private bodyDone = false;
  /** The relay reset the stream and waits for the confirmation that the engine has stopped. */
  private confirmationPending = false;
  /** Shared by the streams of the link; set where the response may be a WHOLE. */
  private readonly heldAcks: HeldAcks | null;
  private ackHeld = false;

  constructor(
    readonly id: number,
    private readonly owner: NodeStreamOwner,
    head: OpenMessage,
  ) {
    const { connection, budget, limits } = owner;
    this.queue = new StreamQueue(id);
    this.writer = new ResponseWriter({
      windowBytes: limits.to_relay_window_bytes,
      queue: this.queue,
      batcher: connection.batcher,
      budget,
      waiters: connection.waiters,
      nowMs: connection.nowMs,
      onExpired: () => {
        this.fail('timed_out');
      },
    });
    this.receiveWindow = new ReceiveWindow(limits.to_node_window_bytes);
    this.remainingBodyBytes = head.body_bytes;
    this.heldAcks = head.stream ? null : owner.heldAcks;
  }

  /** Response bytes sent and not yet returned as credit. */
  get pendingCreditBytes(): number {
    return this.writer.outstanding;
  }

  attach(handler: NodeStreamHandler): void {
    this.handler = handler;
    const { closedBy } = this;
    if (closedBy === null || closedBy === 'ended') return;
    // The link ended while the agent was creating the handler.
    this.owner.connection.attempt(() => {
      handler.onReset(closedBy);
    });
  }

  ack(): void {
    if (this.closedBy !== null) return;
    this.responseState.acknowledge();
    this.ackHeld = this.heldAcks !== null;
    if (this.heldAcks === null) this.push(FrameType.ack, EMPTY);
    else this.heldAcks.hold(this);
  }

  releaseAck(): void {
    if (!this.ackHeld) return;
    this.dropHeldAck();
    this.push(FrameType.ack, EMPTY);
  }

  reject(reason: RejectReason, message?: string): void {
    if (this.closedBy !== null) return;
    this.responseState.reject();
    const text = message?.slice(0, MAX_MESSAGE_CHARACTERS) ?? null;
    this.push(FrameType.reject, encodeControl(rejectMessage, { reason, message: text }));
    this.finish('ended');
  }

  head(message: HeadMessage): void {
    if (this.closedBy !== null) return;
    const payload = encodeHead(message, boundedHead);
    this.responseState.head(message.content_length);
    this.releaseAck();
    this.push(FrameType.head, payload);
  }

  write(bytes: Uint8Array, atBoundary = this.responseState.completes(bytes.length)): Promise<void> | undefined {
    if (this.closedBy !== null) return Promise.reject(new LinkStreamClosedError(this.closedBy));
    if (this.writer.waiting) throw new Error('one write at a time');
    this.responseState.data(bytes.length, atBoundary);
    return this.writer.write(bytes, atBoundary);
  }

  takesWhole(bytes: number): boolean {
    if (this.closedBy !== null || this.heldAcks === null) return false;
    return bytes > 0 && bytes <= MAX_WHOLE_BODY_BYTES && this.writer.fits(bytes);
  }

  whole(head: HeadMessage, bytes: Uint8Array, end: EndMessage): void {
    if (this.closedBy !== null) {
      this.confirmStop(end);
      return;
    }
    if (!this.takesWhole(bytes.length)) throw new Error('WHOLE is not possible now');
    const payload = encodeWholeHead(head, end);
    if (payload === undefined) {
      this.head(head);
      // Within credit, so there is nothing to wait for.
      void this.write(bytes);
      this.end(end);
      return;
    }
    this.responseState.whole();
    this.writer.count(bytes.length);
    this.owner.connection.batcher.pushWhole(this.queue, payload, bytes);
    this.finish('ended');
  }

  end(message: EndMessage): void {
    if (this.closedBy !== null) {
      this.confirmStop(message);
      return;
    }
    this.responseState.end(message.outcome);
    if (message.outcome === 'completed' && this.writer.waiting) throw new Error('completed while a write waits');
    this.releaseAck();
    this.push(FrameType.end, encodeEnd(message, boundedEnd));
    this.finish('ended');
  }

  bodyTaken(bytes: number): void {
    this.grant(bytes, false);
  }

  /** Grants the credit that was held back. */
  grantHeld(): void {
    this.grant(0, true);
  }

  disconnected(): void {
    this.lost('link_closed');
  }

  /** @throws LinkProtocolError */
  handle(frame: Frame): void {
    switch (frame.type) {
      case FrameType.body:
        this.onBody(frame);
        return;
      case FrameType.window:
        this.writer.replenish(decodeWindow(frame.payload));
        this.owner.budgetFreed();
        return;
      case FrameType.reset:
        this.confirmationPending = true;
        this.lost(decodeControl(resetMessage, frame).reason);
        return;
      default:
        throw new LinkProtocolError(`${frameName(frame.type)} is not for a node`);
    }
  }

  /** A handler of the agent threw: only its own request ends. */
  handlerThrew(error: unknown): void {
    this.owner.connection.report(error);
    this.fail('internal');
  }

  private grant(bytes: number, immediately: boolean): void {
    // After the last piece the relay needs no more credit.
    if (this.closedBy !== null || this.bodyDone) return;
    const credit = this.receiveWindow.consumed(bytes, immediately);
    if (credit > 0) this.owner.connection.sendWindow(this.id, credit);
  }

  private onBody(frame: Frame): void {
    const { last, bytes } = decodeBody(frame.payload);
    if (this.bodyDone) throw new LinkProtocolError('BODY after the last');
    this.receiveWindow.received(bytes.length);
    this.remainingBodyBytes -= bytes.length;
    this.bodyDone = last;
    if (this.remainingBodyBytes < 0 || (last && this.remainingBodyBytes > 0)) {
      throw new LinkProtocolError('BODY is not as long as OPEN said');
    }
    try {
      this.handler?.onBody(bytes, last);
    } catch (error) {
      this.handlerThrew(error);
    }
  }

  abandon(reason: ResetReason): void {
    if (this.closedBy !== null) return;
    this.owner.connection.batcher.dropBytes(this.queue);
    this.push(FrameType.reset, encodeControl(resetMessage, { reason }));
    this.finish(reason);
  }

  private fail(reason: ResetReason): void {
    if (this.closedBy !== null) return;
    this.abandon(reason);
    this.notifyReset(reason);
  }

  /** The relay or the loss of the link ended the stream: no body is in flight any more, and queued bytes are dropped. */
  private lost(reason: ResetReason | 'link_closed'): void {
    if (this.closedBy !== null) return;
    this.owner.connection.batcher.dropBytes(this.queue);
    this.bodyDone = true;
    this.finish(reason);
    this.notifyReset(reason);
  }

  private confirmStop(message: EndMessage): void {
    if (!this.confirmationPending) return;
    this.confirmationPending = false;
    this.push(FrameType.end, encodeEnd({ ...message, outcome: 'cancelled', failure: null }, boundedEnd));
  }

  private notifyReset(reason: ResetReason | 'link_closed'): void {
    this.owner.connection.attempt(() => {
      this.handler?.onReset(reason);
    });
  }

  private finish(reason: StreamClosedReason): void {
    this.closedBy = reason;
    this.dropHeldAck();
    this.owner.forget(this, this.bodyDone ? 0 : Math.min(this.remainingBodyBytes, this.receiveWindow.available));
    this.writer.close(reason);
    // Within one flush, bytes of another stream may overtake this one's last frame. Releasing its share of the budget any earlier would
    // let the relay count more than the limit for a moment.
    this.owner.afterFlush(() => {
      this.owner.budget.moved(this.writer.outstanding, 0);
      this.owner.budgetFreed();
    });
  }

  private dropHeldAck(): void {
    if (!this.ackHeld) return;
    this.ackHeld = false;
    this.heldAcks?.forget(this);
  }

  private push(type: FrameType, payload: Uint8Array): void {
    this.owner.connection.batcher.pushControl(this.queue, type, payload);
  }
}

/** Truncates or omits whatever the relay would refuse, so that the outcome itself always arrives. */
const boundedEnd = (message: EndMessage): EndMessage => ({
  ...message,
  failure: message.failure && {
    ...message.failure,
    status: validOrNull(nodeFailure.shape.status, message.failure.status),
    message: message.failure.message.slice(0, MAX_MESSAGE_CHARACTERS),
    param: message.failure.param?.slice(0, MAX_SHORT_CHARACTERS) ?? null,
    retry_after_seconds: validOrNull(nodeFailure.shape.retry_after_seconds, message.failure.retry_after_seconds),
  },
  usage: validOrNull(endMessage.shape.usage, message.usage),
  dropped: boundedNames(message.dropped),
});

function boundedHead(message: HeadMessage): HeadMessage {
  if (message.translation == null) return message;
  const { native, dropped, changed } = message.translation;
  const named = changed === undefined ? {} : { changed: boundedNames(changed) };
  return { ...message, translation: { native, dropped: boundedNames(dropped), ...named } };
}

const boundedNames = (names: readonly string[]): string[] =>
  names.slice(0, MAX_DROPPED_FIELDS).map((name) => name.slice(0, MAX_SHORT_CHARACTERS));

const validOrNull = <Value>(schema: z.ZodType<Value | null>, value: Value | null): Value | null =>
  schema.safeParse(value).data ?? null;
