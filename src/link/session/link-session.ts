import type { Clock } from '../../kernel/clock.js';
import { GenerationalMap } from '../../kernel/generational-map.js';
import type { FlushScheduler } from '../connection/frame-batcher.js';
import type { Frame } from '../codec/frame-codec.js';
import { LinkConnection, type LinkConnectionOwner } from '../connection/link-connection.js';
import { LinkCloseCode, type LinkCloseReason } from '../link-errors.js';
import type { LinkLimits } from '../link-limits.js';
import type { LinkTransport } from '../transport.js';

/** A session needs these members of its streams, at both ends. */
interface SessionStream {
  readonly pendingCreditBytes: number;
  /** Grants the credit that was held back. */
  grantHeld(): void;
  disconnected(): void;
}

export interface SessionHandlers {
  /** Called once, after every open stream was notified. `detail` is for logs; the owner reads the socket's close code itself. */
  onClosed(reason: LinkCloseReason, detail: string): void;
  /** A handler threw; for the log. */
  onHandlerError?(error: unknown): void;
}

export interface LinkSessionOptions<Handlers extends SessionHandlers, Limits extends LinkLimits = LinkLimits> {
  readonly transport: LinkTransport;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly handlers: Handlers;
  readonly scheduleFlush?: FlushScheduler;
}

/**
 * The session logic that both ends share. It does no I/O: the owner of the socket calls `receive`, `pinged`, `ponged` and `closed` on its
 * events, and `tick` about once a second. Nothing that the peer sends makes these throw; at worst its socket is closed.
 */
export abstract class LinkSession<Stream extends SessionStream> implements LinkConnectionOwner {
  protected readonly connection: LinkConnection;
  /** Open streams by id. */
  protected readonly streams = new GenerationalMap<number, Stream>();
  private readonly listener: SessionHandlers;

  protected constructor({ handlers, transport, clock, limits, scheduleFlush }: LinkSessionOptions<SessionHandlers>) {
    this.listener = handlers;
    // Not spread: an object that is made so has a hidden class of its own, 400 bytes of each link.
    this.connection = new LinkConnection({ transport, clock, limits, scheduleFlush, owner: this });
  }

  get openStreams(): number {
    return this.streams.size;
  }

  /** Round trip of the last ping; null before the first pong. */
  get roundTripMs(): number | null {
    return this.connection.roundTripMs;
  }

  receive(message: Buffer, isBinary: boolean): void {
    this.connection.receive(message, isBinary);
  }

  /** A ping arrived. The owner of the socket answers it. */
  pinged(): void {
    this.connection.pinged();
  }

  /** A pong arrived: updates the round trip. */
  ponged(): void {
    this.connection.ponged();
  }

  /** The socket has closed. */
  closed(): void {
    this.connection.closed();
  }

  abstract tick(): void;

  /** Closes the link. Open streams are lost. */
  close(code: number = LinkCloseCode.normal, reason = ''): void {
    this.connection.close(code, reason);
  }

  /** For the connection. @throws LinkProtocolError for frames that the peer may not send. Any other error is a bug and closes the link with 1011. */
  abstract onFrame(frame: Frame): void;

  /** Called by the connection. */
  readAhead?(frames: readonly Frame[]): void;

  /** Called by the connection. */
  onEnded(reason: LinkCloseReason, detail: string): void {
    for (const stream of [...this.streams.values()]) stream.disconnected();
    this.onStreamsClosed();
    this.connection.attempt(() => {
      this.listener.onClosed(reason, detail);
    });
  }

  /** Called by the connection. */
  onHandlerError(error: unknown): void {
    this.listener.onHandlerError?.(error);
  }

  /** Read by the connection. */
  get pendingCreditBytes(): number {
    let bytes = 0;
    for (const stream of this.streams.values()) bytes += stream.pendingCreditBytes;
    return bytes;
  }

  /** Called by the connection. */
  grantHeldCredit(): void {
    for (const stream of this.streams.values()) stream.grantHeld();
  }

  /** Called when the link has ended, after its streams and before its owner are notified. */
  protected onStreamsClosed(): void {
    return;
  }
}
