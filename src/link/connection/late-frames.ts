import { LinkProtocolError } from '../link-errors.js';

/** Of closed streams whose last frame is outstanding. The oldest beyond it share one allowance. */
const MAX_AWAITED = 4_096;

/**
 * Frames that were on their way when this side closed their stream. Ids are never reused, so "not above the highest and not open" identifies
 * them without storing ids of all; their bytes are bounded by the credit that those streams still had.
 */
export class LateFrames {
  /** Of streams without an entry below. */
  private sharedBytes = 0;
  /**
   * By stream, until its last frame, behind which nothing of it follows. One sum with a limit for all is too strict: a peer that learns of one
   * close may use the freed credit on the next stream while the bytes of the first are still on their way, and so on for each close.
   * Absent until the first one: an empty Map takes 180 bytes of each idle link.
   */
  private awaited: Map<number, number> | undefined;
  private ignoredFrames = 0;

  get ignored(): number {
    return this.ignoredFrames;
  }

  /** This side closed a stream. Until its last frame, which the peer nearly always sends, up to `creditBytes` may come. */
  streamClosed(stream: number, creditBytes: number, limitBytes: number): void {
    if (creditBytes === 0) return;
    this.awaited ??= new Map();
    const [oldest] = this.awaited;
    if (oldest !== undefined && this.awaited.size >= MAX_AWAITED) {
      this.awaited.delete(oldest[0]);
      this.share(oldest[1], limitBytes);
    }
    this.awaited.set(stream, creditBytes);
  }

  /**
   * This side closed a stream, of which no last frame will tell that nothing follows. Nearly always the peer sends none of `creditBytes`, so
   * the allowance would grow with every stream. It is capped at `limitBytes`, which the peer may have in flight over all streams.
   */
  share(creditBytes: number, limitBytes: number): void {
    this.sharedBytes = Math.min(this.sharedBytes + creditBytes, limitBytes);
  }

  /**
   * @param isLast nothing of this stream follows
   * @throws LinkProtocolError when these bytes cannot have been on their way
   */
  ignore(stream: number, payloadBytes: number, isLast: boolean): void {
    this.ignoredFrames += 1;
    const own = this.awaited?.get(stream);
    const left = (own ?? 0) - payloadBytes;
    if (own !== undefined) {
      if (isLast || left <= 0) this.awaited?.delete(stream);
      else this.awaited?.set(stream, left);
    }
    if (left < 0) this.sharedBytes += left;
    if (this.sharedBytes < 0) throw new LinkProtocolError('bytes on a closed stream');
  }
}
