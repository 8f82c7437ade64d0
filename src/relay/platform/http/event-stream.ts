import type { ServerResponse } from 'node:http';
import { Subscription, tap, type Observable } from 'rxjs';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { processTimerWheel, type TimerHandle, type TimerWheel } from '../timing/timer-wheel.js';
import type { AnswerSource } from './answer-source.js';
import { createClientWriter, type ClientWriter, type CreateClientWriter } from './client-writer.js';
import { toFerryError } from './errors/to-ferry-error.js';
import { requestIdOf } from './request-id.js';
import { writeAnswerHead, type HeaderPairs } from './response-head.js';

/** The bytes that a protocol adds to those of the node. */
export interface StreamFormat {
  /** Written after silence: a comment, or `event: ping` (docs/reference/api-behaviour.md#sse-format). */
  readonly keepAlive: Uint8Array;
  /** The final bytes of a failed stream (docs/reference/stream-transport.md#errors-inside-a-stream). */
  terminal(error: FerryError, requestId: string): Uint8Array;
  /** Receives the bytes of the node in order, to be copied if kept. Only for formats whose terminal bytes depend on them. */
  watch?(bytes: Uint8Array): void;
}

export interface StreamTiming {
  /** Headers are sent after this much silence; an earlier failure has its HTTP status, a later one is sent inside the stream. */
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

/** Returned by a controller to stream an answer; the HTTP adapter sends it. */
export class EventStream {
  constructor(
    private readonly source: AnswerSource,
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
 * One object per stream and one closure per event source, so that the hot path only uses fields
 * (docs/reference/stream-transport.md#hot-path).
 */
class StreamInProgress {
  private readonly subscription = new Subscription();
  private readonly writer: ClientWriter;
  private readonly silence: TimerHandle;
  private over = false;

  constructor(
    private readonly source: AnswerSource,
    private readonly format: StreamFormat,
    private readonly timing: StreamTiming,
    wheel: TimerWheel,
    createWriter: CreateClientWriter,
    private readonly res: ServerResponse,
    private readonly status: number,
    private readonly resolve: () => void,
    private readonly reject: (error: FerryError) => void,
  ) {
    this.writer = createWriter(res, {
      slowClientTimeoutMs: timing.slowClientTimeoutMs,
      onTaken: (bytes) => {
        source.taken(bytes);
      },
      onClose: () => {
        this.stop();
        resolve();
      },
      wheel,
    });
    this.silence = wheel.schedule(timing.commitMs, () => {
      this.onSilence();
    });
  }

  start(): void {
    this.subscription.add(
      watched(this.source.bytes$, this.format).subscribe({
        next: (bytes) => {
          this.onBytes(bytes);
        },
        error: (error: unknown) => {
          this.onError(toFerryError(error));
        },
        complete: () => {
          this.onComplete();
        },
      }),
    );
  }

  private onBytes(bytes: Uint8Array): void {
    if (this.over) return;
    if (!this.res.headersSent) this.writeHead();
    this.writer.write(bytes);
    this.silence.restart(this.timing.heartbeatMs);
  }

  private onError(error: FerryError): void {
    if (this.over) return;
    this.stop();
    if (!this.res.headersSent) {
      this.writer.detach();
      this.reject(error);
    } else if (this.source.atBoundary()) {
      this.writer.end(this.format.terminal(error, requestIdOf(this.res)));
    } else {
      this.writer.destroy();
    }
  }

  private onComplete(): void {
    if (this.over) return;
    if (!this.res.headersSent) {
      this.onError(new FerryError('engine_error', 'The engine ended the request without a response.'));
      return;
    }
    this.stop();
    // A source that completes inside an event has lost the rest of it: the client must not see a normal end.
    if (this.source.atBoundary()) this.writer.end();
    else this.writer.destroy();
  }

  /** Commits the head after the first silence; keeps the connection alive after each later one. */
  private onSilence(): void {
    if (this.over) return;
    if (!this.res.headersSent) this.writeHead();
    // A keep-alive inside an event would corrupt it; behind unread bytes it would only queue up.
    if (this.source.atBoundary() && this.writer.idle) this.writer.writeOwn(this.format.keepAlive);
    this.silence.restart(this.timing.heartbeatMs);
  }

  private writeHead(): void {
    writeAnswerHead(this.res, this.status, STREAM_HEADERS, this.source.headers());
  }

  private stop(): void {
    this.over = true;
    this.silence.cancel();
    this.subscription.unsubscribe();
  }
}

const watched = (bytes$: Observable<Uint8Array>, format: StreamFormat): Observable<Uint8Array> =>
  format.watch === undefined ? bytes$ : bytes$.pipe(tap((bytes) => format.watch?.(bytes)));
