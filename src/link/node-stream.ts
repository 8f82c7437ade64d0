import { encodeControl, decodeControl } from './control-payload.js';
import { ReceiveWindow, SendWindow } from './credit-window.js';
import type { CreditWaiter } from './credit-waiters.js';
import { decodeBody, decodeWindow, type Frame } from './frame-codec.js';
import { FrameLane } from './frame-lane.js';
import { FrameType, frameName } from './frame-types.js';
import type { SendBudget } from './link-budget.js';
import type { LinkConnection } from './link-connection.js';
import { LinkProtocolError, LinkStreamClosedError, type StreamClosedReason } from './link-errors.js';
import {
  endMessage,
  headMessage,
  rejectMessage,
  resetMessage,
  type EndMessage,
  type HeadMessage,
  type OpenMessage,
  type ReadyMessage,
  type RejectReason,
  type ResetReason,
} from './messages.js';

/** What the agent hears about one request. */
export interface NodeStreamHandler {
  /** A view into the link's message; `bodyTaken` gives its credit back. After `last` comes no more. */
  onBody(chunk: Buffer, last: boolean): void;
  /** Stop the engine: nobody waits for the answer. Not called after `end` or `reject`; nothing else is called after it. */
  onReset(reason: ResetReason | 'link_closed'): void;
}

/**
 * The agent's side of one request: `ack` (or `reject`), `head`, `write`…, `end`. A call out of that order is the agent's bug and throws.
 * After a reset all calls do nothing, except that `write` rejects.
 */
export interface NodeLinkStream {
  readonly id: number;
  ack(): void;
  reject(reason: RejectReason, message?: string): void;
  head(message: HeadMessage): void;
  /**
   * @param bytes whole events (or the JSON body, in pieces of any size); not to be changed until sent. One write at a time
   * @returns undefined when all was within credit; otherwise a promise that resolves when the rest is sent, and rejects with
   *   LinkStreamClosedError when the stream is reset or no credit came for the back-pressure deadline.
   */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** Texts and lists longer than the message allows are cut: a long engine error must not cost the outcome. */
  end(message: EndMessage): void;
  /** The agent has used these body bytes: they become credit for the relay. */
  bodyTaken(bytes: number): void;
}

export interface NodeStreamOwner {
  readonly connection: LinkConnection;
  readonly budget: SendBudget;
  readonly limits: ReadyMessage['limits'];
  /** The stream is closed; `lateBytes` of its body may still be on their way. */
  forget(stream: NodeStream, lateBytes: number): void;
  /** Streams that wait for the link's own credit may go on. */
  budgetFreed(): void;
}

interface PendingWrite {
  rest: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (error: LinkStreamClosedError) => void;
}

const MAX_MESSAGE_CHARACTERS = 4_000;
const MAX_SHORT_CHARACTERS = 200;
const MAX_DROPPED_FIELDS = 64;

export class NodeStream implements NodeLinkStream, CreditWaiter {
  private phase: 'opened' | 'acknowledged' | 'answering' | 'closed' = 'opened';
  private closedBy: StreamClosedReason = 'ended';
  private readonly lane: FrameLane;
  private readonly toRelay: SendWindow;
  private readonly fromRelay: ReceiveWindow;
  private handler: NodeStreamHandler | undefined;
  private pending: PendingWrite | undefined;
  private bodyReceived = 0;
  private bodyDone = false;
  private written = 0;
  private contentLength: number | null = null;
  private readonly bodyBytes: number;

  constructor(
    readonly id: number,
    private readonly owner: NodeStreamOwner,
    head: OpenMessage,
  ) {
    this.lane = new FrameLane(id);
    this.toRelay = new SendWindow(owner.limits.to_relay_window_bytes);
    this.fromRelay = new ReceiveWindow(owner.limits.to_node_window_bytes);
    this.bodyBytes = head.body_bytes;
  }

  get owedBytes(): number {
    return this.toRelay.outstanding;
  }

  attach(handler: NodeStreamHandler): void {
    this.handler = handler;
    // The link may have ended while the agent was still making its handler.
    const { closedBy } = this;
    if (this.phase === 'closed' && closedBy !== 'ended')
      this.owner.connection.attempt(() => {
        handler.onReset(closedBy);
      });
  }

  ack(): void {
    if (!this.proceed('opened', 'acknowledged')) return;
    this.owner.connection.batcher.pushControl(this.lane, FrameType.ack, new Uint8Array(0));
  }

  reject(reason: RejectReason, message?: string): void {
    if (!this.proceed('opened', 'opened')) return;
    const text = message?.slice(0, MAX_MESSAGE_CHARACTERS) ?? null;
    this.owner.connection.batcher.pushControl(
      this.lane,
      FrameType.reject,
      encodeControl(rejectMessage, { reason, message: text }),
    );
    this.finish('ended');
  }

  head(message: HeadMessage): void {
    const payload = encodeControl(headMessage, message);
    if (!this.proceed('acknowledged', 'answering')) return;
    this.contentLength = message.content_length;
    this.owner.connection.batcher.pushControl(this.lane, FrameType.head, payload);
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.phase === 'closed') return Promise.reject(new LinkStreamClosedError(this.closedBy));
    if (this.phase !== 'answering') throw new Error('write before head');
    if (this.pending !== undefined) throw new Error('one write at a time');
    this.written += bytes.length;
    if (this.contentLength !== null && this.written > this.contentLength)
      throw new Error('write beyond content length');
    const sent = this.send(bytes);
    if (sent === bytes.length) return undefined;
    return this.wait(bytes.subarray(sent));
  }

  end(message: EndMessage): void {
    if (this.phase === 'closed') return;
    if (this.phase === 'opened') throw new Error('end before ack');
    if (message.outcome === 'completed') this.checkComplete();
    const payload = encodeControl(endMessage, withinBounds(message));
    this.owner.connection.batcher.pushControl(this.lane, FrameType.end, payload);
    this.finish('ended');
  }

  bodyTaken(bytes: number): void {
    if (this.phase === 'closed') return;
    const credit = this.fromRelay.taken(bytes);
    // The relay has nothing left to send once the last piece is here.
    if (credit > 0 && !this.bodyDone) this.owner.connection.sendWindow(this.id, credit);
  }

  resume(): { sent: number; done: boolean } {
    const { pending } = this;
    if (pending === undefined) return { sent: 0, done: true };
    const sent = this.send(pending.rest);
    pending.rest = pending.rest.subarray(sent);
    const done = pending.rest.length === 0;
    if (done) {
      this.pending = undefined;
      pending.resolve();
    }
    return { sent, done };
  }

  expire(): void {
    this.abandon('timed_out');
  }

  disconnected(): void {
    this.lost('link_closed', 0);
  }

  /** @throws LinkProtocolError */
  handle(frame: Frame): void {
    switch (frame.type) {
      case FrameType.body:
        this.onBody(frame);
        return;
      case FrameType.window:
        this.onWindow(decodeWindow(frame.payload));
        return;
      case FrameType.reset:
        this.lost(decodeControl(resetMessage, frame).reason, 0);
        return;
      default:
        throw new LinkProtocolError(`${frameName(frame.type)} is not for an open stream of a node`);
    }
  }

  /** The agent's own code failed: its request is over, the link and all others go on. */
  crashed(error: unknown): void {
    this.owner.connection.report(error);
    this.abandon('internal');
  }

  private onBody(frame: Frame): void {
    const { last, bytes } = decodeBody(frame.payload);
    if (this.bodyDone) throw new LinkProtocolError('BODY after the last');
    this.fromRelay.received(bytes.length);
    this.bodyReceived += bytes.length;
    this.bodyDone = last;
    const complete = this.bodyReceived === this.bodyBytes;
    if (this.bodyReceived > this.bodyBytes || (last && !complete)) {
      throw new LinkProtocolError('BODY is not as long as OPEN said');
    }
    try {
      this.handler?.onBody(bytes, last);
    } catch (error) {
      this.crashed(error);
    }
  }

  private onWindow(credit: number): void {
    const before = this.toRelay.outstanding;
    this.toRelay.replenish(credit);
    this.owner.budget.moved(before, this.toRelay.outstanding);
    const { waiters } = this.owner.connection;
    waiters.resume(this, this.owner.connection.nowMs());
    this.owner.budgetFreed();
  }

  private send(bytes: Uint8Array): number {
    const before = this.toRelay.outstanding;
    const sent = this.owner.budget.allowance(before, Math.min(bytes.length, this.toRelay.available));
    if (sent === 0) return 0;
    this.toRelay.consume(sent);
    this.owner.budget.moved(before, before + sent);
    const whole = sent === bytes.length;
    this.owner.connection.batcher.pushData(this.lane, whole ? bytes : bytes.subarray(0, sent), whole);
    return sent;
  }

  private wait(rest: Uint8Array): Promise<void> {
    this.owner.connection.waiters.add(this, this.owner.connection.nowMs());
    return new Promise((resolve, reject) => {
      this.pending = { rest, resolve, reject };
    });
  }

  private checkComplete(): void {
    if (this.phase !== 'answering') throw new Error('completed before head');
    if (this.pending !== undefined) throw new Error('completed while a write waits');
    if (this.contentLength !== null && this.written !== this.contentLength)
      throw new Error('completed before all was written');
  }

  /** False when the stream is closed: the reset that the agent has not seen yet makes its call moot. */
  private proceed(from: 'opened' | 'acknowledged', to: 'opened' | 'acknowledged' | 'answering'): boolean {
    if (this.phase === 'closed') return false;
    if (this.phase !== from) throw new Error(`link stream is already ${this.phase}`);
    this.phase = to;
    return true;
  }

  private abandon(reason: ResetReason): void {
    if (this.phase === 'closed') return;
    const { batcher } = this.owner.connection;
    batcher.dropBytes(this.lane);
    batcher.pushControl(this.lane, FrameType.reset, encodeControl(resetMessage, { reason }));
    this.lost(reason, this.fromRelay.available);
  }

  private lost(reason: ResetReason | 'link_closed', lateBytes: number): void {
    if (this.phase === 'closed') return;
    this.owner.connection.batcher.dropBytes(this.lane);
    this.finish(reason, lateBytes);
    this.owner.connection.attempt(() => {
      this.handler?.onReset(reason);
    });
  }

  private finish(reason: StreamClosedReason, lateBytes = this.fromRelay.available): void {
    this.phase = 'closed';
    this.closedBy = reason;
    this.owner.connection.waiters.remove(this);
    this.owner.budget.moved(this.toRelay.outstanding, 0);
    this.owner.forget(this, lateBytes);
    const { pending } = this;
    this.pending = undefined;
    pending?.reject(new LinkStreamClosedError(reason));
    this.owner.budgetFreed();
  }
}

const withinBounds = (message: EndMessage): EndMessage => ({
  ...message,
  failure: message.failure && {
    ...message.failure,
    message: message.failure.message.slice(0, MAX_MESSAGE_CHARACTERS),
    param: message.failure.param?.slice(0, MAX_SHORT_CHARACTERS) ?? null,
  },
  dropped: message.dropped.slice(0, MAX_DROPPED_FIELDS).map((field) => field.slice(0, MAX_SHORT_CHARACTERS)),
});
