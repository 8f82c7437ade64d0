/** What streams that were held back may take of one turn of the event loop. */
const TURN_MS = 4;

/**
 * Streams whose readers were slow share each turn of the event loop. When credit comes for hundreds of them at once, a stream whose reader
 * is not slow would otherwise wait for all of their work, several times for each of its requests.
 */
export class BacklogTurns {
  private readonly waiting: (() => void)[] = [];
  private usedMs = 0;
  private scheduled = false;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Now, or in a later turn when this one has no time left; those that wait come in order. */
  run(work: () => void): void {
    if (this.waiting.length === 0 && this.usedMs < TURN_MS) this.measure(work);
    else this.waiting.push(work);
    this.scheduleOnce();
  }

  private scheduleOnce(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(this.nextTurn);
  }

  private readonly nextTurn = (): void => {
    this.scheduled = false;
    this.usedMs = 0;
    // What is added meanwhile comes behind them.
    let count = this.waiting.length;
    while (count > 0 && this.usedMs < TURN_MS) {
      count -= 1;
      const work = this.waiting.shift();
      if (work !== undefined) this.measure(work);
    }
    if (this.waiting.length > 0) this.scheduleOnce();
  };

  private measure(work: () => void): void {
    const fromMs = this.nowMs();
    try {
      work();
    } finally {
      this.usedMs += this.nowMs() - fromMs;
    }
  }
}

/** One for all engines: they share the event loop. */
export const processBacklogTurns = new BacklogTurns();
