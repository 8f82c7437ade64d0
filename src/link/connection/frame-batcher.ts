import { processBufferPool } from './buffer-pool.js';
import { MAX_WINDOW_BYTES } from './credit-window.js';
import { writeFrameHeader } from '../codec/frame-codec.js';
import { StreamQueue, type OutgoingFrame } from './stream-queue.js';
import { CONTROL_STREAM, FRAME_HEADER_BYTES, FrameType, MAX_FRAME_PAYLOAD_BYTES } from '../codec/frame-types.js';

/** Flush threshold, and the size at which a WebSocket message is full. */
const BATCH_TARGET_BYTES = 64 * 1024;
/** Quantum: bytes of one stream per turn of the round robin. */
const TURN_BYTES = 16 * 1024;
/** A whole window and some control frames. More than this (request bodies apart: they are views of what the caller holds) is a bug. */
const MAX_QUEUED_BYTES = MAX_WINDOW_BYTES + 1024 * 1024;

export type FlushScheduler = (flush: () => void) => void;

/** setImmediate: what is queued in this turn of the event loop leaves as one message (docs/reference/link.md#flow-control). */
export const flushInCheckPhase: FlushScheduler = (flush) => {
  setImmediate(flush);
};

export interface FrameBatcherOptions {
  /** Takes one WebSocket message. Must not throw. */
  readonly send: (message: Buffer) => void;
  readonly scheduleFlush?: FlushScheduler | undefined;
}

/**
 * Batches frames into few WebSocket messages: one flush per turn of the event loop, or at once above 64 KiB.
 * Control frames go first, then the streams in round robin, so that a large answer never delays another stream's token by its whole
 * length.
 * Request bodies never bring a flush forward: uploads that start in one turn of the event loop then leave interleaved.
 */
export class FrameBatcher {
  private readonly control = new StreamQueue(CONTROL_STREAM);
  private turns: StreamQueue[] = [];
  private position = 0;
  private nextTurns: StreamQueue[] = [];
  private readonly afterwards: (() => void)[] = [];
  private waitingBytes = 0;
  private promptBytes = 0;
  private scheduled = false;
  private flushing = false;
  private disposed = false;
  private readonly schedule: FlushScheduler;
  private readonly runScheduled = (): void => {
    this.scheduled = false;
    this.flush();
  };

  constructor(private readonly options: FrameBatcherOptions) {
    this.schedule = options.scheduleFlush ?? flushInCheckPhase;
  }

  /** Queued payload bytes. */
  get queuedBytes(): number {
    return this.waitingBytes;
  }

  /** Sent before all streams: frames of the link itself, and WINDOW, whose order does not matter. */
  pushFirst(stream: number, type: FrameType, payload: Uint8Array): void {
    if (this.disposed) return;
    this.control.pushControl(stream, type, payload);
    this.added(payload.length, true);
  }

  pushControl(queue: StreamQueue, type: FrameType, payload: Uint8Array): void {
    if (this.disposed) return;
    queue.pushControl(queue.stream, type, payload);
    this.enqueue(queue);
    this.added(payload.length, true);
  }

  /** The body must not change before the flush. */
  pushWhole(queue: StreamQueue, head: Uint8Array, body: Uint8Array): void {
    if (this.disposed) return;
    queue.pushWhole(head, body);
    this.enqueue(queue);
    this.added(head.length + body.length, true);
  }

  /** The bytes must not change before the flush. */
  pushData(queue: StreamQueue, bytes: Uint8Array, atBoundary: boolean): void {
    if (this.disposed) return;
    queue.pushData(bytes, atBoundary);
    this.enqueue(queue);
    this.added(bytes.length, true);
  }

  /** The bytes must not change before the flush. */
  pushBody(queue: StreamQueue, bytes: Uint8Array, last: boolean): void {
    if (this.disposed) return;
    queue.pushBody(bytes, last);
    this.enqueue(queue);
    this.added(bytes.length, false);
  }

  /** Forgets the stream's unsent BODY and DATA; its control frames still go out. */
  dropBytes(queue: StreamQueue): void {
    this.waitingBytes -= queue.dropBytes();
  }

  /** Runs once when everything queued now has been sent. */
  afterFlush(run: () => void): void {
    if (this.disposed) return;
    this.afterwards.push(run);
    this.scheduleOnce();
  }

  /** Flushes synchronously. */
  flush(): void {
    if (this.flushing) return;
    this.flushing = true;
    try {
      for (let message = this.nextMessage(); message !== undefined; message = this.nextMessage()) {
        this.options.send(message);
      }
    } finally {
      this.promptBytes = 0;
      this.flushing = false;
    }
    for (const run of this.afterwards.splice(0)) run();
  }

  /** After this nothing is queued or sent. */
  dispose(): void {
    this.disposed = true;
    this.turns = [];
    this.nextTurns = [];
    this.position = 0;
    this.waitingBytes = 0;
    this.afterwards.length = 0;
  }

  private enqueue(queue: StreamQueue): void {
    if (queue.queued) return;
    queue.queued = true;
    this.nextTurns.push(queue);
  }

  private added(bytes: number, prompt: boolean): void {
    this.waitingBytes += bytes;
    if (prompt) this.promptBytes += bytes;
    if (this.promptBytes > MAX_QUEUED_BYTES) throw new RangeError('link batch over its bound');
    if (this.promptBytes >= BATCH_TARGET_BYTES) this.flush();
    else if (!this.flushing) this.scheduleOnce();
  }

  private scheduleOnce(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.schedule(this.runScheduled);
  }

  private nextMessage(): Buffer | undefined {
    if (this.disposed) return undefined;
    const frames: OutgoingFrame[] = [];
    let size = 0;
    while (size < BATCH_TARGET_BYTES) {
      const frame = this.nextFrame();
      if (frame === undefined) break;
      frames.push(frame);
      size += wireBytes(frame);
    }
    return frames.length === 0 ? undefined : this.assemble(frames, size);
  }

  private nextFrame(): OutgoingFrame | undefined {
    const control = this.control.take(MAX_FRAME_PAYLOAD_BYTES);
    if (control !== undefined) return control;
    for (let queue = this.nextLane(); queue !== undefined; queue = this.nextLane()) {
      const alone = this.position === this.turns.length && this.nextTurns.length === 0;
      const frame = queue.take(alone ? MAX_FRAME_PAYLOAD_BYTES : TURN_BYTES);
      if (queue.empty) queue.queued = false;
      else this.nextTurns.push(queue);
      if (frame !== undefined) return frame;
    }
    return undefined;
  }

  private nextLane(): StreamQueue | undefined {
    if (this.position === this.turns.length) {
      const spent = this.turns;
      this.turns = this.nextTurns;
      spent.length = 0;
      this.nextTurns = spent;
      this.position = 0;
    }
    const queue = this.turns[this.position];
    if (queue !== undefined) this.position += 1;
    return queue;
  }

  /** One buffer of the exact size; each byte is copied once. */
  private assemble(frames: readonly OutgoingFrame[], size: number): Buffer {
    const message = processBufferPool.take(size);
    let offset = 0;
    for (const frame of frames) {
      const flagBytes = frame.type === FrameType.body ? 1 : 0;
      offset = writeFrameHeader(message, offset, frame.stream, frame.type, frame.length + flagBytes);
      if (flagBytes === 1) offset = message.writeUInt8(frame.last ? 1 : 0, offset);
      for (const part of frame.parts) {
        message.set(part, offset);
        offset += part.length;
      }
      this.waitingBytes -= frame.length;
    }
    return message;
  }
}

const wireBytes = ({ type, length }: OutgoingFrame): number =>
  FRAME_HEADER_BYTES + length + (type === FrameType.body ? 1 : 0);
