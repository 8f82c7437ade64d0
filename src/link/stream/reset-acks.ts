import { decodeEnd } from '../codec/control-payload.js';
import type { Frame } from '../codec/frame-codec.js';
import { FrameType } from '../codec/frame-types.js';
import { decodeWhole } from '../codec/whole-response.js';
import type { EndMessage } from '../messages.js';

/**
 * The result of a reset: the node's END with the usage so far; `none` when nothing was running or the link was lost, so that the result
 * is unknown; `missing` when no confirmation arrived in time, so that the engine may still be running.
 */
export type ResetAck = EndMessage | 'none' | 'missing';

/**
 * An engine must stop within a second (docs/reference/request-lifecycle.md#cancellation). After this much longer the node counts as
 * faulty (docs/reference/request-lifecycle.md#at-most-once).
 */
const CONFIRMATION_TIMEOUT_MS = 10_000;
/** The most streams of one link. Beyond it the oldest entry is settled with `none`: reaching this limit is not the node's fault. */
const MAX_PENDING = 1_024;

interface PendingReset {
  readonly deadlineMs: number;
  readonly onStopped: (stopped: ResetAck) => void;
}

/** Streams that the relay has reset and whose END is outstanding. Each callback runs exactly once. */
export class ResetAcks {
  /** In insertion order: the earliest deadline comes first. Absent until the first one: an empty Map takes 180 bytes of each idle link. */
  private pending: Map<number, PendingReset> | undefined;

  /** @param call runs a callback and keeps its exceptions from the link */
  constructor(
    private readonly nowMs: () => number,
    private readonly call: (run: () => void) => void,
  ) {}

  get size(): number {
    return this.pending?.size ?? 0;
  }

  expect(streamId: number, onStopped: PendingReset['onStopped']): void {
    this.pending ??= new Map();
    const [oldest] = this.pending.keys();
    if (oldest !== undefined && this.pending.size >= MAX_PENDING) this.settle(oldest, 'none');
    this.pending.set(streamId, { deadlineMs: this.nowMs() + CONFIRMATION_TIMEOUT_MS, onStopped });
  }

  /** Takes a frame of a closed stream: its confirmation, or an END, REJECT or RESET that was already in flight. @throws LinkProtocolError */
  onLateFrame(frame: Frame): void {
    if (this.pending?.has(frame.stream) !== true) return;
    if (frame.type === FrameType.end) this.settle(frame.stream, decodeEnd(frame));
    else if (frame.type === FrameType.whole) this.settle(frame.stream, decodeWhole(frame.payload).end);
    else if (frame.type === FrameType.reject || frame.type === FrameType.reset) this.settle(frame.stream, 'none');
  }

  /** The stream was reset while its end was being handled. */
  ended(streamId: number, end: EndMessage): void {
    this.settle(streamId, end);
  }

  /** Call about once a second. */
  tick(): void {
    if (this.pending === undefined || this.pending.size === 0) return;
    const nowMs = this.nowMs();
    for (const [streamId, { deadlineMs }] of this.pending) {
      if (deadlineMs > nowMs) return;
      this.settle(streamId, 'missing');
    }
  }

  linkEnded(): void {
    for (const streamId of [...(this.pending?.keys() ?? [])]) this.settle(streamId, 'none');
  }

  private settle(streamId: number, stopped: ResetAck): void {
    const entry = this.pending?.get(streamId);
    this.pending?.delete(streamId);
    if (entry === undefined) return;
    this.call(() => {
      entry.onStopped(stopped);
    });
  }
}
