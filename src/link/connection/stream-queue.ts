import { FrameType, MAX_FRAME_PAYLOAD_BYTES } from '../codec/frame-types.js';

/** A frame (or, for BODY and DATA, what may become several) waiting for the next flush. */
export interface OutgoingFrame {
  stream: number;
  type: FrameType;
  /** Payload bytes; a BODY's flag byte is not counted. */
  length: number;
  /** Views of the sender's bytes, copied only into the batch. */
  parts: Uint8Array[];
  /** BODY only: nothing follows. */
  last: boolean;
}

/**
 * Frames of one stream, in order, first in first out. Consecutive DATA grow into one frame while they fit whole, so that a flush
 * sends few frames; what is cut to fit becomes DATA_MORE, because the piece ends inside an event.
 */
export class StreamQueue {
  /** The next frame. Nearly always the only one, so that a stream needs no list: it would be one more object to fetch for each token. */
  private head: OutgoingFrame | undefined;
  /** The frames behind it. */
  private later: OutgoingFrame[] | undefined;
  /** Links of the batcher's intrusive list. */
  queued = false;
  private begun = false;

  constructor(readonly stream: number) {}

  get empty(): boolean {
    return this.head === undefined;
  }

  pushControl(stream: number, type: FrameType, payload: Uint8Array): void {
    this.append({ stream, type, length: payload.length, parts: [payload], last: false });
  }

  /** One frame of two parts that is never cut or dropped: the stream has ended. */
  pushWhole(head: Uint8Array, body: Uint8Array): void {
    const length = head.length + body.length;
    this.append({ stream: this.stream, type: FrameType.whole, length, parts: [head, body], last: false });
  }

  pushBody(bytes: Uint8Array, last: boolean): void {
    this.append({ stream: this.stream, type: FrameType.body, length: bytes.length, parts: [bytes], last });
  }

  /** @returns whether it is the first DATA of the stream */
  pushData(bytes: Uint8Array, atBoundary: boolean): boolean {
    const first = !this.begun;
    this.begun = true;
    const tail = this.later?.at(-1) ?? this.head;
    if (tail !== undefined && joins(tail, bytes.length, atBoundary)) {
      tail.parts.push(bytes);
      tail.length += bytes.length;
      if (atBoundary) tail.type = FrameType.data;
      return first;
    }
    const type = atBoundary ? FrameType.data : FrameType.dataMore;
    this.append({ stream: this.stream, type, length: bytes.length, parts: [bytes], last: false });
    return first;
  }

  /** The next frame, with at most `limit` payload bytes where it may be cut. */
  take(limit: number): OutgoingFrame | undefined {
    const { head } = this;
    if (head === undefined) return undefined;
    const room = head.type === FrameType.body ? Math.min(limit, MAX_FRAME_PAYLOAD_BYTES - 1) : limit;
    if (head.length > room && mayBeCut(head)) return cut(head, room);
    this.head = this.later?.shift();
    return head;
  }

  /** Drops queued BODY and DATA of a stream that is over. Returns the number of bytes dropped. */
  dropBytes(): number {
    // Nearly always: its frames have left.
    if (this.head === undefined) return 0;
    let dropped = 0;
    const frames = [this.head, ...(this.later ?? [])];
    const kept = frames.filter((frame) => {
      const drop = mayBeCut(frame);
      if (drop) dropped += frame.length;
      return !drop;
    });
    this.head = kept.shift();
    this.later = kept;
    return dropped;
  }

  private append(frame: OutgoingFrame): void {
    if (this.head === undefined) this.head = frame;
    else (this.later ??= []).push(frame);
  }
}

/** DATA after which the stream would stand inside an event again keeps its own frame: its boundary is worth a keep-alive. */
const joins = (tail: OutgoingFrame, bytes: number, atBoundary: boolean): boolean =>
  (tail.type === FrameType.dataMore || (tail.type === FrameType.data && atBoundary)) &&
  tail.length + bytes <= MAX_FRAME_PAYLOAD_BYTES;

const mayBeCut = ({ type }: OutgoingFrame): boolean =>
  type === FrameType.body || type === FrameType.data || type === FrameType.dataMore;

function cut(frame: OutgoingFrame, bytes: number): OutgoingFrame {
  const parts: Uint8Array[] = [];
  let missing = bytes;
  while (missing > 0) {
    const part = frame.parts[0];
    if (part === undefined) throw new RangeError('a frame is shorter than its length');
    if (part.length <= missing) {
      parts.push(part);
      frame.parts.shift();
      missing -= part.length;
    } else {
      parts.push(part.subarray(0, missing));
      frame.parts[0] = part.subarray(missing);
      missing = 0;
    }
  }
  frame.length -= bytes;
  const type = frame.type === FrameType.body ? FrameType.body : FrameType.dataMore;
  return { stream: frame.stream, type, length: bytes, parts, last: false };
}
