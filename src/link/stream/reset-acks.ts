import { decodeEnd } from '../codec/control-payload.js';
import type { Frame } from '../codec/frame-codec.js';
import { FrameType } from '../codec/frame-types.js';
import type { EndMessage } from '../messages.js';

/**
 * The result of a reset: the node's END with the usage so far; `none`: nothing was running, or the link is gone and the result is
 * unknown; `missing`: no confirmation arrived in time, so the engine may still be running.
 */
export type ResetAck = EndMessage | 'none' | 'missing';

/**
 * An engine must stop within a second (docs/reference/request-lifecycle.md#cancellation); this much later something is wrong with the
 * node (docs/reference/request-lifecycle.md#at-most-once).
 */
const CONFIRMATION_TIMEOUT_MS = 10_000;
/** As many as one link may have streams. Beyond that the oldest are given up, with `none`: a bound must not accuse a node. */
const MAX_AWAITED = 1_024;

interface Awaited {
  readonly deadlineMs: number;
  readonly onStopped: (stopped: ResetAck) => void;
}

/** Streams that the relay has reset and whose END is outstanding. Each callback runs exactly once. */
export class ResetAcks {
  /** By insertion, so the earliest deadline comes first. */
  private readonly awaited = new Map<number, Awaited>();

  /** @param call runs what must not throw into the link. */
  constructor(
    private readonly nowMs: () => number,
    private readonly call: (run: () => void) => void,
  ) {}

  get size(): number {
    return this.awaited.size;
  }

  expect(streamId: number, onStopped: Awaited['onStopped']): void {
    const [oldest] = this.awaited.keys();
    if (oldest !== undefined && this.awaited.size >= MAX_AWAITED) this.settle(oldest, 'none');
    this.awaited.set(streamId, { deadlineMs: this.nowMs() + CONFIRMATION_TIMEOUT_MS, onStopped });
  }

  /** A frame of a closed stream: the confirmation, or what was on its way and says the same. @throws LinkProtocolError */
  heard(frame: Frame): void {
    if (this.awaited.size === 0 || !this.awaited.has(frame.stream)) return;
    if (frame.type === FrameType.end) this.settle(frame.stream, decodeEnd(frame));
    else if (frame.type === FrameType.reject || frame.type === FrameType.reset) this.settle(frame.stream, 'none');
  }

  /** About once a second. */
  tick(): void {
    if (this.awaited.size === 0) return;
    const nowMs = this.nowMs();
    for (const [streamId, { deadlineMs }] of this.awaited) {
      if (deadlineMs > nowMs) return;
      this.settle(streamId, 'missing');
    }
  }

  linkEnded(): void {
    for (const streamId of [...this.awaited.keys()]) this.settle(streamId, 'none');
  }

  private settle(streamId: number, stopped: ResetAck): void {
    const entry = this.awaited.get(streamId);
    this.awaited.delete(streamId);
    if (entry === undefined) return;
    this.call(() => {
      entry.onStopped(stopped);
    });
  }
}
