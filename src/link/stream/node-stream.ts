import type { z } from 'zod';
import { ResponseStateMachine } from './response-state-machine.js';
import { AnswerWriter } from './response-writer.js';
import { decodeControl, encodeControl, encodeEnd, encodeHead } from '../codec/control-payload.js';
import { ReceiveWindow } from '../connection/credit-window.js';
import { decodeBody, decodeWindow, type Frame } from '../codec/frame-codec.js';
import { StreamQueue } from '../connection/stream-queue.js';
import { FrameType, frameName } from '../codec/frame-types.js';
import type { SendBudget } from '../connection/link-budget.js';
import type { LinkConnection } from '../connection/link-connection.js';
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
  /** A view into the link's message; `bodyTaken` gives its credit back. After `last` comes no more. */
  onBody(chunk: Buffer, last: boolean): void;
  /** Cancels the request on the engine. Not called after `end` or `reject`; nothing else is called after it. */
  onReset(reason: ResetReason | 'link_closed'): void;
}

/**
 * The agent's side of one request: `ack` (or `reject`), `head`, `write`…, `end`. A call out of that order is the agent's bug and throws.
 * After a reset all calls do nothing, except that `write` rejects and that `end` tells the relay, once, that the engine has stopped.
 */
export interface NodeLinkStream {
  readonly id: number;
  ack(): void;
  reject(reason: RejectReason, message?: string): void;
  /** Names of dropped fields beyond the message's bounds are cut or left out. */
  head(message: HeadMessage): void;
  /**
   * @param bytes whole events (or the JSON body, in pieces of any size); not to be changed until sent. One write at a time
   * @returns undefined when all was within credit; otherwise a promise that resolves when the rest is sent, and rejects with
   *   LinkStreamClosedError when the stream is reset or no credit came for the back-pressure deadline.
   */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /**
   * What the message's bounds do not allow is cut or left out: a long engine error or a senseless count must not cost the outcome.
   * After a reset, call it when the engine has let go of the request, with what was used by then: the outcome is `cancelled` then.
   */
  end(message: EndMessage): void;
  /** The agent has consumed these body bytes: they become credit for the relay. */
  bodyTaken(bytes: number): void;
}

export interface NodeStreamOwner {
  readonly connection: LinkConnection;
  readonly budget: SendBudget;
  readonly limits: ReadyMessage['limits'];
  /** A RESET of the relay is answered with END when the engine has stopped. */
  readonly confirmsStops: boolean;
  /** The stream is closed; `lateBytes` of its body may still be on their way. */
  forget(stream: NodeStream, lateBytes: number): void;
  /** Streams that wait for the link's own credit may go on. */
  budgetFreed(): void;
  /** Runs when all that waits now is sent. */
  afterFlush(release: () => void): void;
}

const MAX_MESSAGE_CHARACTERS = 4_000;
const MAX_SHORT_CHARACTERS = 200;
const MAX_DROPPED_FIELDS = 64;
const NOTHING = new Uint8Array(0);

/** The node's end of one request. */
export class NodeStream implements NodeLinkStream {
  private closedBy: StreamClosedReason | null = null;
  private readonly order = new ResponseStateMachine((message) => new Error(message));
  private readonly queue: StreamQueue;
  private readonly answer: AnswerWriter;
  private readonly body: ReceiveWindow;
  private handler: NodeStreamHandler | undefined;
  /** Body bytes still to come. */
  private bodyRest: number;
  private bodyDone = false;
  /** Reset by the relay, which waits for the confirmation that the engine has stopped. */
  private owesConfirmation = false;

  constructor(
    readonly id: number,
    private readonly owner: NodeStreamOwner,
    head: OpenMessage,
  ) {
    const { connection, budget, limits } = owner;
    this.queue = new StreamQueue(id);
    this.answer = new AnswerWriter({
      windowBytes: limits.to_relay_window_bytes,
      queue: this.queue,
      batcher: connection.batcher,
      budget,
      waiters: connection.waiters,
      nowMs: connection.nowMs,
      onExpired: () => {
        this.abandon('timed_out');
      },
    });
    this.body = new ReceiveWindow(limits.to_node_window_bytes);
    this.bodyRest = head.body_bytes;
  }

  /** Answer bytes that the relay has not granted again. */
  get owedBytes(): number {
    return this.answer.outstanding;
  }

  attach(handler: NodeStreamHandler): void {
    this.handler = handler;
    const { closedBy } = this;
    if (closedBy === null || closedBy === 'ended') return;
    // The link ended while the agent was still making its handler.
    this.owner.connection.attempt(() => {
      handler.onReset(closedBy);
    });
  }

  ack(): void {
    if (this.closedBy !== null) return;
    this.order.acknowledge();
    this.push(FrameType.ack, NOTHING);
  }

  reject(reason: RejectReason, message?: string): void {
    if (this.closedBy !== null) return;
    this.order.reject();
    const text = message?.slice(0, MAX_MESSAGE_CHARACTERS) ?? null;
    this.push(FrameType.reject, encodeControl(rejectMessage, { reason, message: text }));
    this.finish('ended');
  }

  head(message: HeadMessage): void {
    if (this.closedBy !== null) return;
    const payload = encodeHead(message, boundedHead);
    this.order.head(message.content_length);
    this.push(FrameType.head, payload);
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.closedBy !== null) return Promise.reject(new LinkStreamClosedError(this.closedBy));
    if (this.answer.waiting) throw new Error('one write at a time');
    const atBoundary = this.order.completes(bytes.length);
    this.order.data(bytes.length, atBoundary);
    return this.answer.write(bytes, atBoundary);
  }

  end(message: EndMessage): void {
    if (this.closedBy !== null) {
      this.confirmStop(message);
      return;
    }
    this.order.end(message.outcome);
    if (message.outcome === 'completed' && this.answer.waiting) throw new Error('completed while a write waits');
    this.push(FrameType.end, encodeEnd(message, withinBounds));
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
        this.answer.replenish(decodeWindow(frame.payload));
        this.owner.budgetFreed();
        return;
      case FrameType.reset:
        this.owesConfirmation = this.owner.confirmsStops;
        this.lost(decodeControl(resetMessage, frame).reason);
        return;
      default:
        throw new LinkProtocolError(`${frameName(frame.type)} is not for a node`);
    }
  }

  /** A handler of the agent threw: its request ends, the link and all others continue. */
  crashed(error: unknown): void {
    this.owner.connection.report(error);
    this.abandon('internal');
  }

  private grant(bytes: number, atOnce: boolean): void {
    // The relay has nothing left to send once the last piece is here.
    if (this.closedBy !== null || this.bodyDone) return;
    const credit = this.body.taken(bytes, atOnce);
    if (credit > 0) this.owner.connection.sendWindow(this.id, credit);
  }

  private onBody(frame: Frame): void {
    const { last, bytes } = decodeBody(frame.payload);
    if (this.bodyDone) throw new LinkProtocolError('BODY after the last');
    this.body.received(bytes.length);
    this.bodyRest -= bytes.length;
    this.bodyDone = last;
    if (this.bodyRest < 0 || (last && this.bodyRest > 0)) {
      throw new LinkProtocolError('BODY is not as long as OPEN said');
    }
    try {
      this.handler?.onBody(bytes, last);
    } catch (error) {
      this.crashed(error);
    }
  }

  private abandon(reason: ResetReason): void {
    if (this.closedBy !== null) return;
    this.owner.connection.batcher.dropBytes(this.queue);
    this.push(FrameType.reset, encodeControl(resetMessage, { reason }));
    this.finish(reason);
    this.tellReset(reason);
  }

  /** Ended by the other side: nothing is in flight any more, and queued bytes are dropped. */
  private lost(reason: ResetReason | 'link_closed'): void {
    if (this.closedBy !== null) return;
    this.owner.connection.batcher.dropBytes(this.queue);
    this.bodyDone = true;
    this.finish(reason);
    this.tellReset(reason);
  }

  private confirmStop(message: EndMessage): void {
    if (!this.owesConfirmation) return;
    this.owesConfirmation = false;
    this.push(FrameType.end, encodeEnd({ ...message, outcome: 'cancelled', failure: null }, withinBounds));
  }

  private tellReset(reason: ResetReason | 'link_closed'): void {
    this.owner.connection.attempt(() => {
      this.handler?.onReset(reason);
    });
  }

  private finish(reason: StreamClosedReason): void {
    this.closedBy = reason;
    this.owner.forget(this, this.bodyDone ? 0 : Math.min(this.bodyRest, this.body.available));
    this.answer.close(reason);
    // Another stream's bytes may overtake this one's last frame in the same flush: its share of the budget is free only after that,
    // or the relay would for a moment count more than the bound.
    this.owner.afterFlush(() => {
      this.owner.budget.moved(this.answer.outstanding, 0);
      this.owner.budgetFreed();
    });
  }

  private push(type: FrameType, payload: Uint8Array): void {
    this.owner.connection.batcher.pushControl(this.queue, type, payload);
  }
}

/** The outcome matters more than its details: what the relay would refuse is cut or left out, so that END itself always gets through. */
const withinBounds = (message: EndMessage): EndMessage => ({
  ...message,
  failure: message.failure && {
    ...message.failure,
    status: orNull(nodeFailure.shape.status, message.failure.status),
    message: message.failure.message.slice(0, MAX_MESSAGE_CHARACTERS),
    param: message.failure.param?.slice(0, MAX_SHORT_CHARACTERS) ?? null,
    retry_after_seconds: orNull(nodeFailure.shape.retry_after_seconds, message.failure.retry_after_seconds),
  },
  usage: orNull(endMessage.shape.usage, message.usage),
  dropped: boundedNames(message.dropped),
});

const boundedHead = (message: HeadMessage): HeadMessage =>
  message.translation == null
    ? message
    : { ...message, translation: { ...message.translation, dropped: boundedNames(message.translation.dropped) } };

const boundedNames = (names: readonly string[]): string[] =>
  names.slice(0, MAX_DROPPED_FIELDS).map((name) => name.slice(0, MAX_SHORT_CHARACTERS));

const orNull = <Value>(schema: z.ZodType<Value | null>, value: Value | null): Value | null =>
  schema.safeParse(value).data ?? null;
