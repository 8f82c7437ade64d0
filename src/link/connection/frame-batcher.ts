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

/** Longest time that an event of a running stream waits on a busy link for others, to leave with them in one message. */
export const HOLD_MS = 1;
/** A link that has sent nothing for so long is quiet: a flush of its own for each frame does not add up. */
export const QUIET_MS = 5;

/**
 * `callback`: after the running callback, so with all that it queues; `turn`: at the end of the turn of the event loop;
 * `hold`: after {@link HOLD_MS}.
 */
export type FlushMoment = 'callback' | 'turn' | 'hold';

export type FlushScheduler = (flush: () => void, moment: FlushMoment) => void;

/** docs/reference/link.md#when-a-message-leaves */
export const flushInEventLoop: FlushScheduler = (flush, moment) => {
  switch (moment) {
    case 'callback':
      process.nextTick(flush);
      return;
    case 'turn':
      setImmediate(flush);
      return;
    case 'hold':
      setTimeout(flush, HOLD_MS);
      return;
  }
};

export interface FrameBatcherOptions {
  /** Takes one WebSocket message. Must not throw. */
  readonly send: (message: Buffer) => void;
  /** Monotonic. */
  readonly nowMs: () => number;
  readonly scheduleFlush?: FlushScheduler | undefined;
}

/**
 * Batches frames into few WebSocket messages. A frame that begins or ends something leaves after the running callback on a link that has
 * been quiet for {@link QUIET_MS}, and otherwise at the end of the turn of the event loop. A later event of a stream waits up to
 * {@link HOLD_MS} when the last flush was less than that ago. Above 64 KiB everything leaves at once.
 * Control frames go first, then the streams in round robin, so that a large response never delays another stream's token by its whole
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
  /** Moment of the next flush; null: none is due. */
  private scheduled: FlushMoment | null = null;
  private flushedMs = -Infinity;
  private flushing = false;
  private disposed = false;
  private readonly scheduleFlush: FlushScheduler;
  /** The timer of a hold may run after an earlier flush: then there is nothing to send, or it leaves early. */
  private readonly runScheduled = (): void => {
    this.scheduled = null;
    this.flush();
  };

  constructor(private readonly options: FrameBatcherOptions) {
    this.scheduleFlush = options.scheduleFlush ?? flushInEventLoop;
  }

  /** Queued payload bytes. */
  get queuedBytes(): number {
    return this.waitingBytes;
  }

  /** Sent before all streams: frames of the link itself, and WINDOW, whose order does not matter. */
  pushFirst(stream: number, type: FrameType, payload: Uint8Array): void {
    if (this.disposed) return;
    this.control.pushControl(stream, type, payload);
    this.added(payload.length, 'turn');
  }

  pushControl(queue: StreamQueue, type: FrameType, payload: Uint8Array): void {
    if (this.disposed) return;
    queue.pushControl(queue.stream, type, payload);
    this.enqueue(queue);
    this.added(payload.length, 'callback');
  }

  /** The body must not change before the flush. */
  pushWhole(queue: StreamQueue, head: Uint8Array, body: Uint8Array): void {
    if (this.disposed) return;
    queue.pushWhole(head, body);
    this.enqueue(queue);
    this.added(head.length + body.length, 'callback');
  }

  /** The bytes must not change before the flush. */
  pushData(queue: StreamQueue, bytes: Uint8Array, atBoundary: boolean): void {
    if (this.disposed) return;
    const first = queue.pushData(bytes, atBoundary);
    this.enqueue(queue);
    this.added(bytes.length, first ? 'callback' : 'hold');
  }

  /** The bytes must not change before the flush. */
  pushBody(queue: StreamQueue, bytes: Uint8Array, last: boolean): void {
    if (this.disposed) return;
    queue.pushBody(bytes, last);
    this.enqueue(queue);
    this.added(bytes.length, null);
  }

  /** Forgets the stream's unsent BODY and DATA; its control frames still go out. */
  dropBytes(queue: StreamQueue): void {
    this.waitingBytes -= queue.dropBytes();
  }

  /** Runs once when everything queued now has been sent. */
  afterFlush(run: () => void): void {
    if (this.disposed) return;
    this.afterwards.push(run);
    this.schedule('turn');
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
      this.flushedMs = this.options.nowMs();
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

  /** @param moment the latest that suits the frame; null: a piece of a request body, which never brings a flush forward by its size */
  private added(bytes: number, moment: FlushMoment | null): void {
    this.waitingBytes += bytes;
    if (moment !== null) this.promptBytes += bytes;
    if (this.promptBytes > MAX_QUEUED_BYTES) throw new RangeError('link batch over its bound');
    if (this.promptBytes >= BATCH_TARGET_BYTES) this.flush();
    else if (!this.flushing) this.schedule(moment ?? 'turn');
  }

  private schedule(moment: FlushMoment): void {
    const { scheduled } = this;
    if (scheduled === 'callback' || scheduled === 'turn' || scheduled === moment) return;
    const next = momentFor(moment, this.options.nowMs() - this.flushedMs);
    this.scheduled = next;
    this.scheduleFlush(this.runScheduled, next);
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

function momentFor(latest: FlushMoment, sinceFlushMs: number): FlushMoment {
  if (latest === 'callback' && sinceFlushMs >= QUIET_MS) return 'callback';
  return latest === 'hold' && sinceFlushMs < HOLD_MS ? 'hold' : 'turn';
}

const wireBytes = ({ type, length }: OutgoingFrame): number =>
  FRAME_HEADER_BYTES + length + (type === FrameType.body ? 1 : 0);
