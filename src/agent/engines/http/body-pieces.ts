import type { Readable } from 'node:stream';

/** What may wait here before the engine is held up. */
const WAITING_BYTES = 64 * 1024;

/**
 * The pieces of a body, as they come, for one reader. A stream's own iterator asks, reads and looks again for every piece; here a piece
 * that comes while somebody waits is handed over at once, which is the usual case with tokens.
 */
export class BodyPieces {
  private readonly waiting: Buffer[] = [];
  private waitingBytes = 0;
  private ended = false;
  private error: Error | null = null;
  private reader: { resolve: (piece: Buffer | undefined) => void; reject: (error: Error) => void } | null = null;

  constructor(private readonly body: Readable) {
    body.on('data', this.onData).on('end', this.onEnd).on('error', this.onError).on('close', this.onClose);
  }

  /** Undefined after the last one. One call at a time. @throws what the body failed with, after the pieces that came before */
  next(): Promise<Buffer | undefined> {
    const piece = this.waiting.shift();
    if (piece !== undefined) {
      this.waitingBytes -= piece.length;
      if (this.waitingBytes <= WAITING_BYTES && this.body.isPaused()) this.body.resume();
      return Promise.resolve(piece);
    }
    if (this.error !== null) return Promise.reject(this.error);
    if (this.ended) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.reader = { resolve, reject };
    });
  }

  /** Nothing more is wanted; whoever goes on with the body finds it as it is. */
  detach(): void {
    this.body.off('data', this.onData).off('end', this.onEnd).off('error', this.onError).off('close', this.onClose);
  }

  private readonly onData = (piece: Buffer): void => {
    const { reader } = this;
    if (reader !== null) {
      this.reader = null;
      reader.resolve(piece);
      return;
    }
    this.waiting.push(piece);
    this.waitingBytes += piece.length;
    if (this.waitingBytes > WAITING_BYTES) this.body.pause();
  };

  private readonly onEnd = (): void => {
    this.ended = true;
    this.reader?.resolve(undefined);
    this.reader = null;
  };

  private readonly onError = (error: Error): void => {
    this.error ??= error;
    this.reader?.reject(error);
    this.reader = null;
  };

  private readonly onClose = (): void => {
    if (!this.ended && this.error === null) this.onError(new Error('the body was closed before its end'));
  };
}
