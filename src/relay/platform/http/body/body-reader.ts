import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { processTimerWheel, type TimerHandle } from '../../timing/timer-wheel.js';
import { ClientDisconnectedError } from '../errors/client-disconnected-error.js';
import { contextOf } from '../request-context.js';
import type { BodyReservation } from './body-budget.js';
import { ByteCollector, ownCopyOf } from './byte-collector.js';
import { contentDecoder } from './content-decoder.js';
import { JsonScanner, type JsonLimits, type JsonProblem } from './json-scanner.js';

export interface BodyLimits extends JsonLimits {
  /** After transfer and content decoding (docs/reference/public-api.md#body-size). */
  readonly limitBytes: number;
  readonly inflateRatioLimit: number;
  /** Slower uploads are closed; 0 turns it off. */
  readonly uploadFloorBytesPerSecond: number;
  readonly uploadFloorWindowMs: number;
}

export interface ReadBody {
  /** They own their memory, so that they can be handed to a worker. */
  readonly bytes: Buffer;
  /** Colons outside of strings: the members of all objects, if the body is JSON. */
  readonly colons: number;
}

/** The ratio is checked from this size on: a short body may consist of blanks. */
const RATIO_FREE_BYTES = 65_536;

const NOTHING = Buffer.alloc(0);

/**
 * Reads and decompresses a whole request body. Refuses it at the first byte beyond the limit and leaves the rest unread, which
 * `sendCompleteResponse` handles.
 * @returns no promise where the body has already arrived, as nearly all do with their head
 * @throws FerryError 413, 400 (encoding, nesting), 429 and 503 (memory) · ClientDisconnectedError
 */
export function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  limits: BodyLimits,
  reservation: BodyReservation,
): ReadBody | Promise<ReadBody> {
  const declared = req.headers['content-length'] === undefined ? undefined : Number(req.headers['content-length']);
  if (declared !== undefined && declared > limits.limitBytes) throw tooLarge(limits.limitBytes);
  const decoder = contentDecoder(req.headers['content-encoding']);
  // Before reading (docs/reference/limits.md#bodies-and-timeouts): the announced length, if it is also the size in memory.
  const expected = decoder === undefined ? declared : undefined;
  if (expected !== undefined) reservation.grow(expected);
  if (req.destroyed) throw new ClientDisconnectedError();
  if (hasArrived(req, expected) && decoder === undefined) return arrivedBody(req, limits, reservation, expected);

  const context = contextOf(req);
  if (context.awaitsContinue) {
    context.awaitsContinue = false;
    res.writeContinue();
  }
  return new Promise((resolve, reject) => {
    new BodyReading(req, decoder, limits, reservation, expected, resolve, reject).start();
  });
}

/** Node sees the end of a request after the microtasks that its last bytes started: until then the length tells. */
const hasArrived = (req: IncomingMessage, expected: number | undefined): boolean =>
  req.complete || (expected !== undefined && req.readableLength === expected);

/** The chunks that Node has kept for a reader. */
function arrivedBody(
  req: IncomingMessage,
  limits: BodyLimits,
  reservation: BodyReservation,
  expected: number | undefined,
): ReadBody {
  const body = (req.read() as Buffer | null) ?? NOTHING;
  // Otherwise nobody would read on to the end of the request, which is still to come.
  if (!req.complete) req.resume();
  if (body.byteLength > limits.limitBytes) throw tooLarge(limits.limitBytes);
  const scanner = new JsonScanner(limits);
  const problem = scanner.feed(body);
  if (problem !== undefined) throw tooComplex(problem, limits);
  if (expected === undefined) reservation.grow(body.byteLength);
  return { bytes: ownCopyOf(body), colons: scanner.colons };
}

const tooLarge = (limitBytes: number): FerryError =>
  new FerryError('request_too_large', `The body is larger than ${limitBytes} bytes.`);

const tooComplex = (problem: JsonProblem, { depthLimit, tokenLimit }: JsonLimits): FerryError => {
  const limit = problem === 'too_deep' ? `nested deeper than ${depthLimit}` : `of more than ${tokenLimit} tokens`;
  return new FerryError('invalid_json', `The body is JSON ${limit}.`);
};

class BodyReading {
  private readonly collector: ByteCollector;
  private readonly scanner: JsonScanner;
  /** Bytes read from the socket, and those of the current window of the minimum upload speed. */
  private received = 0;
  private receivedBeforeWindow = 0;
  private floorTimer: TimerHandle | undefined;

  constructor(
    private readonly req: IncomingMessage,
    private readonly decoder: Transform | undefined,
    private readonly limits: BodyLimits,
    private readonly reservation: BodyReservation,
    private readonly expected: number | undefined,
    private readonly resolve: (body: ReadBody) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.collector = new ByteCollector(expected);
    this.scanner = new JsonScanner(limits);
  }

  start(): void {
    const { req, decoder, limits } = this;
    req.on('data', this.onReceived).on('close', this.onClose).on('error', this.onClose);
    if (decoder === undefined) {
      req.on('end', this.onEnd);
    } else {
      decoder.on('data', this.onBytes).on('end', this.onEnd).on('error', this.onUndecodable);
      req.pipe(decoder);
    }
    // A small body arrives with its head.
    if (limits.uploadFloorBytesPerSecond > 0 && !req.complete) {
      this.floorTimer = processTimerWheel.schedule(limits.uploadFloorWindowMs, this.onFloorWindow);
    }
  }

  private readonly onReceived = (chunk: Buffer): void => {
    this.received += chunk.byteLength;
    if (this.decoder === undefined) this.onBytes(chunk);
  };

  private readonly onBytes = (chunk: Buffer): void => {
    const size = this.collector.size + chunk.byteLength;
    if (size > this.limits.limitBytes) {
      this.fail(tooLarge(this.limits.limitBytes));
      return;
    }
    if (this.decoder !== undefined && size > RATIO_FREE_BYTES && size > this.received * this.limits.inflateRatioLimit) {
      const message = `The body is compressed more than ${this.limits.inflateRatioLimit} to 1.`;
      this.fail(new FerryError('request_too_large', message));
      return;
    }
    const problem = this.scanner.feed(chunk);
    if (problem !== undefined) {
      this.fail(tooComplex(problem, this.limits));
      return;
    }
    try {
      if (this.expected === undefined) this.reservation.grow(chunk.byteLength);
    } catch (error) {
      this.fail(error as Error);
      return;
    }
    this.collector.add(chunk);
  };

  private readonly onEnd = (): void => {
    this.stop();
    this.resolve({ bytes: this.collector.bytes(), colons: this.scanner.colons });
  };

  private readonly onClose = (): void => {
    // A complete request also closes, while a decoder may still be working on it.
    if (!this.req.complete) this.fail(new ClientDisconnectedError());
  };

  private readonly onUndecodable = (): void => {
    const encoding = this.req.headers['content-encoding'] ?? '';
    this.fail(new FerryError('unsupported_content_encoding', `The body is not valid ${encoding}.`));
  };

  /** A slow upload holds its share of the memory budget, so it must end. */
  private readonly onFloorWindow = (): void => {
    const { uploadFloorBytesPerSecond, uploadFloorWindowMs } = this.limits;
    const inWindow = this.received - this.receivedBeforeWindow;
    if (inWindow < (uploadFloorBytesPerSecond * uploadFloorWindowMs) / 1_000) {
      this.fail(new ClientDisconnectedError());
      this.req.destroy();
      return;
    }
    this.receivedBeforeWindow = this.received;
    this.floorTimer?.restart();
  };

  private fail(error: Error): void {
    this.stop();
    this.req.pause();
    this.reject(error);
  }

  private stop(): void {
    const { req, decoder } = this;
    this.floorTimer?.cancel();
    // The listener for errors stays: a connection that is reset after a refusal needs no handling.
    req.off('data', this.onReceived).off('close', this.onClose).off('end', this.onEnd);
    if (decoder === undefined) return;
    req.unpipe(decoder);
    decoder.off('data', this.onBytes).off('end', this.onEnd);
    decoder.destroy();
  }
}
