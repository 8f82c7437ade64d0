import type { z } from 'zod';
import type { Clock } from '../../kernel/clock.js';
import { processBufferPool } from './buffer-pool.js';
import { encodeControl } from '../codec/control-payload.js';
import { CreditWaiters } from './credit-waiters.js';
import { FrameBatcher, type FlushScheduler } from './frame-batcher.js';
import { decodeMessage, encodeWindow, type Frame } from '../codec/frame-codec.js';
import { CONTROL_STREAM, FrameType } from '../codec/frame-types.js';
import { LinkCloseCode, LinkProtocolError, type LinkCloseReason } from '../link-errors.js';
import type { LinkLimits } from '../link-limits.js';
import { LateFrames } from './late-frames.js';
import { Liveness } from './liveness.js';
import type { LinkTransport } from '../transport.js';

/** Limit of unsent bytes beyond the granted credit; a peer that exceeds it does not read and is disconnected. */
const MAX_BACKLOG_BYTES = 32 * 1024 * 1024;
/**
 * Credit is granted in half windows, but held back for at most this part of the peer's back-pressure deadline: a slow reader must not
 * look like a dead one.
 */
const HELD_CREDIT_PART = 4;
/** RFC 6455 §5.5: a close frame's reason. Ours are ASCII. */
const MAX_CLOSE_REASON_BYTES = 123;

/** The session, as its connection uses it. */
export interface LinkConnectionOwner {
  onFrame(frame: Frame): void;
  /** Called with the frames of a message of several before the first of them is passed on. */
  readAhead?(frames: readonly Frame[]): void;
  /** Once, when nothing more will be sent or received. */
  onEnded(reason: LinkCloseReason, detail: string): void;
  onHandlerError(error: unknown): void;
  /** Bytes sent under credit that the peer may not have read yet. */
  readonly pendingCreditBytes: number;
  /** Sends the credit that was held back for larger grants. */
  grantHeldCredit(): void;
}

export interface LinkConnectionOptions {
  readonly transport: LinkTransport;
  readonly clock: Clock;
  readonly limits: LinkLimits;
  readonly scheduleFlush?: FlushScheduler | undefined;
  /** One object instead of a function for each event, which would take 300 bytes of each link. */
  readonly owner: LinkConnectionOwner;
}

/** The part that both ends of a link share: one socket, its frame batcher, its liveness check, and a single way to close. */
export class LinkConnection {
  readonly batcher: FrameBatcher;
  readonly waiters: CreditWaiters;
  readonly late = new LateFrames();
  private readonly liveness: Liveness;
  private readonly handshakeByMs: number;
  private handshakeDone = false;
  private heldCreditGrantedMs: number;
  private endedBy: LinkCloseReason | null = null;

  constructor(private readonly options: LinkConnectionOptions) {
    const { clock, limits, scheduleFlush } = options;
    const nowMs = clock.monotonicMs();
    this.batcher = new FrameBatcher({
      send: (message) => {
        this.transmit(message);
      },
      nowMs: this.nowMs,
      scheduleFlush,
    });
    this.waiters = new CreditWaiters(limits.backpressureTimeoutMs);
    this.liveness = new Liveness(limits, nowMs);
    this.handshakeByMs = nowMs + limits.handshakeTimeoutMs;
    this.heldCreditGrantedMs = nowMs;
  }

  get ended(): boolean {
    return this.endedBy !== null;
  }

  get roundTripMs(): number | null {
    return this.liveness.roundTripMs;
  }

  readonly nowMs = (): number => this.options.clock.monotonicMs();

  receive(message: Buffer, isBinary: boolean): void {
    if (this.ended) return;
    this.liveness.received(this.nowMs());
    try {
      if (!isBinary) throw new LinkProtocolError('text message');
      this.dispatch(decodeMessage(message));
    } catch (error) {
      this.fail(error);
    }
  }

  pinged(): void {
    this.liveness.received(this.nowMs());
  }

  ponged(): void {
    this.liveness.pong(this.nowMs());
  }

  handshakeCompleted(): void {
    this.handshakeDone = true;
  }

  tick(): void {
    if (this.ended) return;
    const nowMs = this.nowMs();
    if (!this.handshakeDone && nowMs >= this.handshakeByMs) {
      this.shut('handshake_timeout', LinkCloseCode.protocolError, 'handshake timed out');
      return;
    }
    switch (this.liveness.check(nowMs)) {
      case 'fine':
        break;
      case 'ping':
        this.attempt(() => {
          this.options.transport.ping();
        });
        break;
      case 'dead':
        this.interrupt('dead', 'nothing heard');
        return;
    }
    this.waiters.expireOverdue(nowMs);
    if (nowMs - this.heldCreditGrantedMs < this.options.limits.backpressureTimeoutMs / HELD_CREDIT_PART) return;
    this.heldCreditGrantedMs = nowMs;
    this.options.owner.grantHeldCredit();
  }

  /** @throws LinkMessageError when the peer would refuse the message. */
  sendControl<Schema extends z.ZodType>(type: FrameType, schema: Schema, message: z.input<Schema>): void {
    this.batcher.pushFirst(CONTROL_STREAM, type, encodeControl(schema, message));
  }

  sendWindow(stream: number, credit: number): void {
    this.batcher.pushFirst(stream, FrameType.window, encodeWindow(credit));
  }

  /** Calls a handler and contains its exceptions: the caller must not be interrupted. */
  attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.report(error);
    }
  }

  report(error: unknown): void {
    this.options.owner.onHandlerError(error);
  }

  /** Flushes the batch, then starts the closing handshake. */
  close(code: number, reason: string): void {
    if (this.ended) return;
    this.batcher.flush();
    this.shut('closed_here', code, reason);
  }

  /** The socket is gone. */
  closed(): void {
    this.end('peer_closed', 'socket closed');
  }

  private transmit(message: Buffer): void {
    const { transport, owner } = this.options;
    this.attempt(() => {
      transport.send(message, () => {
        processBufferPool.give(message);
      });
    });
    const excess = (transport.bufferedBytes ?? 0) - MAX_BACKLOG_BYTES;
    if (excess > 0 && excess > owner.pendingCreditBytes) this.interrupt('backlog', 'the peer does not read');
  }

  private dispatch(frames: readonly Frame[]): void {
    if (frames.length > 1) this.options.owner.readAhead?.(frames);
    for (const frame of frames) {
      // A handler may have closed the link in between.
      if (this.ended) return;
      this.options.owner.onFrame(frame);
    }
  }

  /** Any error but a protocol violation is a bug on this side: it closes this link, not the process. */
  private fail(error: unknown): void {
    if (error instanceof LinkProtocolError) {
      this.shut('protocol_error', LinkCloseCode.protocolError, error.message);
      return;
    }
    this.report(error);
    this.shut('internal', LinkCloseCode.internalError, 'internal error');
  }

  private shut(reason: LinkCloseReason, code: number, detail: string): void {
    if (this.ended) return;
    const { transport } = this.options;
    try {
      transport.close(code, detail.slice(0, MAX_CLOSE_REASON_BYTES));
    } catch (error) {
      this.report(error);
      // A session that has ended must not leave its socket open.
      this.attempt(() => {
        transport.terminate();
      });
    }
    this.end(reason, detail);
  }

  private interrupt(reason: LinkCloseReason, detail: string): void {
    if (this.ended) return;
    this.attempt(() => {
      this.options.transport.terminate();
    });
    this.end(reason, detail);
  }

  private end(reason: LinkCloseReason, detail: string): void {
    if (this.ended) return;
    this.endedBy = reason;
    this.batcher.dispose();
    this.options.owner.onEnded(reason, detail);
  }
}
