import type { ServerResponse } from 'node:http';
import { Subscription } from 'rxjs';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { TimerWheel } from '../timing/timer-wheel.js';
import type { AnswerSource } from './answer-source.js';
import { createClientWriter } from './client-writer.js';
import { toFerryError } from './errors/to-ferry-error.js';

export interface JsonResponseTiming {
  /** A client that reads nothing for this long is disconnected. */
  readonly slowClientTimeoutMs: number;
}

const DEFAULT_TIMING: JsonResponseTiming = { slowClientTimeoutMs: 60_000 };

/** Returned by a controller to send one JSON body from a node; the HTTP adapter sends it. */
export class JsonResponse {
  constructor(
    private readonly source: AnswerSource,
    private readonly timing: JsonResponseTiming = DEFAULT_TIMING,
    private readonly wheel?: TimerWheel,
  ) {}

  /**
   * Settles when the response is over. Rejects, with nothing written, when the source fails before its first item. A loss
   * after that destroys the socket, so that the client sees a body shorter than its content-length.
   */
  send(res: ServerResponse, status: number, createWriter = createClientWriter): Promise<void> {
    if (res.destroyed || res.closed) return Promise.resolve();
    const { source, timing, wheel } = this;
    return new Promise((resolve, reject) => {
      const subscription = new Subscription();
      let length: number | null = null;
      let sent = 0;
      let whole: Uint8Array | null = null;
      const writer = createWriter(res, {
        slowClientTimeoutMs: timing.slowClientTimeoutMs,
        onTaken: (bytes) => {
          source.taken(bytes);
        },
        onClose: () => {
          subscription.unsubscribe();
          resolve();
        },
        ...(wheel === undefined ? {} : { wheel }),
      });
      const fail = (error: FerryError): void => {
        if (res.headersSent) {
          writer.destroy();
          return;
        }
        writer.detach();
        reject(error);
      };
      subscription.add(
        source.bytes$.subscribe({
          next: (bytes) => {
            if (sent === 0) length = source.contentLength();
            sent += bytes.byteLength;
            // The whole body in one item: its end follows at once, so that head, body and end are one write.
            if (sent === length && bytes.byteLength === length) {
              whole = bytes;
              // Counts as taken while it is held here, so that a node that never ends the response times out.
              source.taken(bytes.byteLength);
              return;
            }
            if (!res.headersSent) writeHead(res, status, source, length);
            // The client would read excess bytes as the start of the next response on this connection.
            if (length !== null && sent > length) writer.destroy();
            else writer.write(bytes);
          },
          error: (error: unknown) => {
            fail(toFerryError(error));
          },
          complete: () => {
            if (whole !== null && sent === length) {
              writeHead(res, status, source, length);
              writer.end(whole);
            } else if (!res.headersSent)
              fail(new FerryError('engine_error', 'The engine ended the request without a response.'));
            else if (length === null ? source.atBoundary() : sent === length) writer.end();
            else writer.destroy();
          },
        }),
      );
    });
  }
}

function writeHead(res: ServerResponse, status: number, source: AnswerSource, length: number | null): void {
  res.socket?.setNoDelay(true);
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...source.headers(),
    ...(length === null ? {} : { 'content-length': length }),
  });
}
