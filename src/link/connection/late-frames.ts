import { LinkProtocolError } from '../link-errors.js';

/**
 * Frames that were on their way when this side closed their stream. Ids are never reused, so "not above the highest and not open"
 * names them without a memory of ids; their bytes are bounded by the credit that those streams still had.
 */
export class LateFrames {
  private allowedBytes = 0;
  private ignoredFrames = 0;

  get ignored(): number {
    return this.ignoredFrames;
  }

  /**
   * This side closed a stream on which the peer could still send `creditBytes`. Nearly always it sends none of them, so what is allowed
   * would grow with every stream: more than `limitBytes`, which is what it may have on its way over all streams, cannot come.
   */
  streamClosed(creditBytes: number, limitBytes: number): void {
    this.allowedBytes = Math.min(this.allowedBytes + creditBytes, limitBytes);
  }

  /** @throws LinkProtocolError when these bytes cannot have been on their way. */
  ignore(payloadBytes: number): void {
    this.ignoredFrames += 1;
    this.allowedBytes -= payloadBytes;
    if (this.allowedBytes < 0) throw new LinkProtocolError('bytes on a closed stream');
  }
}
