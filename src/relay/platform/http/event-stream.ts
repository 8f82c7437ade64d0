import type { ServerResponse } from 'node:http';
import { tap, type Observable, type Observer, type Subscription } from 'rxjs';
import type { StreamFormat } from '../../../dialects/stream-format.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { processTimerWheel, TICK_MS, type TimerHandle, type TimerWheel } from '../timing/timer-wheel.js';
import type { ResponseReader, ResponseSource } from './response-source.js';
import {
  createClientWriter,
  type ClientWriter,
  type ClientWriterOptions,
  type CreateClientWriter,
} from './client-writer.js';
import { toFerryError } from './errors/to-ferry-error.js';
import { requestIdOf } from './request-id.js';
import { writeResponseHead, type HeaderPairs } from './response-head.js';

export interface StreamTiming {
  /** Headers are sent after this much silence, once a node has the request; an earlier failure has its HTTP status, a later one is sent inside the stream. */
  readonly commitMs: number;
  /** A keep-alive is written after this much silence. */
  readonly heartbeatMs: number;
  /** A client that reads nothing for this long is disconnected. */
  readonly slowClientTimeoutMs: number;
}

const STREAM_HEADERS: HeaderPairs = [
  'content-type',
  'text/event-stream; charset=utf-8',
  'cache-control',
  'no-cache, no-transform',
  'x-accel-buffering',
  'no',
];

/** Returned by a controller to stream a response; the HTTP adapter sends it. */
export class EventStream {
  constructor(
    private readonly source: ResponseSource,
    private readonly format: StreamFormat,
    private readonly timing: StreamTiming,
    private readonly wheel: TimerWheel = processTimerWheel,
  ) {}

  /**
   * Settles when the response is over, however it ended. Rejects, with nothing written, when the source fails before the
   * head: exception filters then answer with the status of the failure.
   */
  send(res: ServerResponse, status: number, createWriter = createClientWriter): Promise<void> {
    // The client disconnected during authentication: the request never starts.
    if (res.destroyed || res.closed) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const { source, format, timing, wheel } = this;
      new StreamInProgress(source, format, timing, wheel, createWriter, res, status, resolve, reject).start();
    });
  }
}

/**
 * Observes the source of one stream, writes, and watches for silence. One object and no closures: with thousands of streams an event finds
 * none of them in the processor's caches, so that each further object on its way costs about as much as the work itself
 * (docs/reference/stream-transport.md#hot-path).
 */
class StreamInProgress implements Observer<Uint8Array>, ClientWriterOptions, ResponseReader {
  readonly slowClientTimeoutMs: number;
  private subscription: Subscription | null = null;
  private readonly writer: ClientWriter;
  private readonly silence: TimerHandle;
  private headWritten = false;
  private over = false;
  /** Tick of the wheel at which bytes last came. Written instead of a deadline: the timer reads it when it is due. */
  private spokeAtTick = 0;

  constructor(
    private readonly source: ResponseSource,
    private readonly format: StreamFormat,
    private readonly timing: StreamTiming,
    readonly wheel: TimerWheel,
    createWriter: CreateClientWriter,
    private readonly res: ServerResponse,
    private readonly status: number,
    private readonly resolve: () => void,
    private readonly reject: (error: FerryError) => void,
  ) {
    this.slowClientTimeoutMs = timing.slowClientTimeoutMs;
    this.writer = createWriter(res, this);
    this.silence = wheel.schedule(timing.commitMs, () => {
      this.onDue();
    });
  }

  start(): void {
    this.source.reader?.(this);
    this.subscription = watched(this.source.bytes$, this.format).subscribe(this);
    // It failed or ended while it was subscribed to.
    if (this.over) this.subscription.unsubscribe();
  }

  onConsumed(bytes: number): void {
    this.source.consumed(bytes);
  }

  onClose(): void {
    this.stop();
    this.resolve();
  }

  readAhead(): number {
    return this.spokeAtTick + this.writer.readAhead();
  }

  next(bytes: Uint8Array): void {
    if (this.over) return;
    if (!this.headWritten) {
      this.writeHead();
      this.silence.restart(this.timing.heartbeatMs);
    }
    this.spokeAtTick = this.wheel.ticks;
    this.writer.write(bytes);
  }

  error(error: unknown): void {
    this.onError(toFerryError(error));
  }

  complete(): void {
    this.onComplete();
  }

  private onError(error: FerryError): void {
    if (this.over) return;
    this.stop();
    if (!this.headWritten) {
      this.writer.detach();
      this.reject(error);
    } else if (this.source.atBoundary()) {
      const terminal = this.format.terminal(error, requestIdOf(this.res));
      if (this.format.cutsFailures === true) this.writer.cut(terminal);
      else this.writer.end(terminal);
    } else {
      this.writer.destroy();
    }
  }

  private onComplete(): void {
    if (this.over) return;
    if (!this.headWritten) {
      this.onError(new FerryError('engine_error', 'The engine ended the request without a response.'));
      return;
    }
    this.stop();
    // A source that completes inside an event has lost the rest of it: the client must not see a normal end.
    if (this.source.atBoundary()) this.writer.end();
    else this.writer.destroy();
  }

  private onDue(): void {
    if (this.over) return;
    // Bytes may have come up to a tick after the one that was noted for them.
    const silentMs = (this.wheel.ticks - this.spokeAtTick - 1) * TICK_MS;
    const leftMs = this.headWritten ? this.timing.heartbeatMs - silentMs : 0;
    if (leftMs > 0) this.silence.restart(leftMs);
    else if (!this.headWritten && this.source.waits?.() === true) this.silence.restart(this.timing.commitMs);
    else this.onSilence();
  }

  /** Commits the head after the first silence; keeps the connection alive after each later one. */
  private onSilence(): void {
    if (!this.headWritten) this.writeHead();
    // A keep-alive inside an event would corrupt it; behind unread bytes it would only queue up.
    if (this.source.atBoundary() && this.writer.idle) this.writer.writeOwn(this.format.keepAlive);
    this.spokeAtTick = this.wheel.ticks;
    this.silence.restart(this.timing.heartbeatMs);
  }

  private writeHead(): void {
    this.headWritten = true;
    writeResponseHead(this.res, this.status, STREAM_HEADERS, this.source.headers());
  }

  private stop(): void {
    this.over = true;
    this.silence.cancel();
    this.subscription?.unsubscribe();
  }
}

const watched = (bytes$: Observable<Uint8Array>, format: StreamFormat): Observable<Uint8Array> =>
  format.watch === undefined ? bytes$ : bytes$.pipe(tap((bytes) => format.watch?.(bytes)));
