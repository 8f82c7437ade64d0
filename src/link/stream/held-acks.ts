/** Longest time that an ACK waits for a short response, to go with it in one frame. */
export const MAX_ACK_HELD_MS = 20;

/** Runs the work once after the delay. */
export type AckTimer = (run: () => void, delayMs: number) => void;

const systemTimer: AckTimer = (run, delayMs) => {
  setTimeout(run, delayMs);
};

/** A stream whose ACK is held. */
export interface AckHolder {
  releaseAck(): void;
}

/**
 * The held ACKs of one link, at most one per open stream. They are released in two generations by one timer that runs only while there
 * are some, so that a request costs no timer of its own: each waits between half of the longest time and all of it.
 */
export class HeldAcks {
  private older = new Set<AckHolder>();
  private newer = new Set<AckHolder>();
  private running = false;
  private readonly runOut = (): void => {
    this.running = false;
    const due = this.older;
    this.older = this.newer;
    this.newer = new Set();
    if (this.older.size > 0) this.schedule();
    for (const stream of due) stream.releaseAck();
  };

  constructor(private readonly timer: AckTimer = systemTimer) {}

  hold(stream: AckHolder): void {
    this.newer.add(stream);
    this.schedule();
  }

  /** The ACK of the stream went out, or is not needed any more. */
  forget(stream: AckHolder): void {
    if (!this.newer.delete(stream)) this.older.delete(stream);
  }

  private schedule(): void {
    if (this.running) return;
    this.running = true;
    this.timer(this.runOut, MAX_ACK_HELD_MS / 2);
  }
}
