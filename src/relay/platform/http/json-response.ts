import type { ServerResponse } from 'node:http';
import type { Observer, Subscription } from 'rxjs';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { processTimerWheel, type TimerWheel } from '../timing/timer-wheel.js';
import type { ResponseSource } from './response-source.js';
import {
  createClientWriter,
  type ClientWriter,
  type ClientWriterOptions,
  type CreateClientWriter,
} from './client-writer.js';
import { toFerryError } from './errors/to-ferry-error.js';
import { writeResponseHead, type HeaderPairs } from './response-head.js';

export interface JsonResponseTiming {
  /** A client that reads nothing for this long is disconnected. */
  readonly slowClientTimeoutMs: number;
}

const JSON_TYPE: HeaderPairs = ['content-type', 'application/json; charset=utf-8'];

const DEFAULT_TIMING: JsonResponseTiming = { slowClientTimeoutMs: 60_000 };

/** Returned by a controller to send one JSON body from a node; the HTTP adapter sends it. */
export class JsonResponse {
  constructor(
    private readonly source: ResponseSource,
    private readonly timing: JsonResponseTiming = DEFAULT_TIMING,
    private readonly wheel: TimerWheel = processTimerWheel,
  ) {}

  /**
   * Settles when the response is over. Rejects, with nothing written, when the source fails before its first item. A loss
   * after that destroys the socket, so that the client sees a body shorter than its content-length.
   */
  send(res: ServerResponse, status: number, createWriter = createClientWriter): Promise<void> {
    if (res.destroyed || res.closed) return Promise.resolve();
    const { source, timing, wheel } = this;
    return new Promise((resolve, reject) => {
      new JsonInProgress(source, timing, wheel, createWriter, res, status, resolve, reject).start();
    });
  }
}

/** Observes the source of one response; one object instead of a closure for each kind of event. */
class JsonInProgress implements Observer<Uint8Array>, ClientWriterOptions {
  readonly slowClientTimeoutMs: number;
  private readonly writer: ClientWriter;
  private subscription: Subscription | null = null;
  private length: number | null = null;
  private sent = 0;
  private whole: Uint8Array | null = null;

  constructor(
    private readonly source: ResponseSource,
    timing: JsonResponseTiming,
    readonly wheel: TimerWheel,
    createWriter: CreateClientWriter,
    private readonly res: ServerResponse,
    private readonly status: number,
    private readonly resolve: () => void,
    private readonly reject: (error: FerryError) => void,
  ) {
    this.slowClientTimeoutMs = timing.slowClientTimeoutMs;
    this.writer = createWriter(res, this);
  }

  start(): void {
    this.subscription = this.source.bytes$.subscribe(this);
  }

  onConsumed(bytes: number): void {
    this.source.consumed(bytes);
  }

  onClose(): void {
    this.subscription?.unsubscribe();
    this.resolve();
  }

  next(bytes: Uint8Array): void {
    const { source, writer } = this;
    if (this.sent === 0) this.length = source.contentLength();
    this.sent += bytes.byteLength;
    // The whole body in one item: its end follows at once, so that head, body and end are one write.
    if (this.sent === this.length && bytes.byteLength === this.length) {
      this.whole = bytes;
      // Counts as taken while it is held here, so that a node that never ends the response times out.
      source.consumed(bytes.byteLength);
      return;
    }
    if (!this.res.headersSent) this.writeHead();
    // The client would read excess bytes as the start of the next response on this connection.
    if (this.length !== null && this.sent > this.length) writer.destroy();
    else writer.write(bytes);
  }

  error(error: unknown): void {
    this.fail(toFerryError(error));
  }

  complete(): void {
    const { source, writer, length, sent, whole } = this;
    if (whole !== null && sent === length) {
      this.writeHead();
      writer.end(whole);
    } else if (!this.res.headersSent)
      this.fail(new FerryError('engine_error', 'The engine ended the request without a response.'));
    else if (length === null ? source.atBoundary() : sent === length) writer.end();
    else writer.destroy();
  }

  private fail(error: FerryError): void {
    if (this.res.headersSent) {
      this.writer.destroy();
      return;
    }
    this.writer.detach();
    this.reject(error);
  }

  private writeHead(): void {
    const { res, source, length } = this;
    writeResponseHead(res, this.status, JSON_TYPE, source.headers(), length);
  }
}
