/** How far an answer has come, in bytes. Counting is all that the relay does with them. */
export class AnswerProgress {
  /** Of a whole JSON answer; null for a stream. */
  contentLength: number | null = null;
  /**
   * False inside an event larger than a frame, and inside a JSON body: nothing of ours may be written there
   * (docs/reference/link.md#event-boundaries).
   */
  atBoundary = true;
  receivedBytes = 0;
  private takenBytes = 0;

  received(bytes: number, atBoundary: boolean): void {
    this.receivedBytes += bytes;
    this.atBoundary = this.contentLength === null ? atBoundary : this.receivedBytes === this.contentLength;
  }

  taken(bytes: number): void {
    this.takenBytes += bytes;
  }

  /** The node may be silent because the client has not read what it sent. */
  get clientOwes(): boolean {
    return this.takenBytes < this.receivedBytes;
  }
}
