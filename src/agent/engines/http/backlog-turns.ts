/** What streams that were held back may take of one turn of the event loop. */
const TURN_MS = 4;

/** Does one piece of work. True: there is more of it now. */
export type BacklogStep = () => boolean;

/**
 * Streams whose readers were slow share each turn of the event loop. When credit comes for hundreds of them at once, a stream whose reader
 * is not slow would otherwise wait for all of their work, several times for each of its requests.
 */
export class BacklogTurns {
  private readonly waiting: BacklogStep[] = [];
  private usedMs = 0;
  private scheduled = false;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Steps now, or in later turns when this one has no time left or others wait; those that wait come in order, a step each. */
  run(step: BacklogStep): void {
    this.scheduleOnce();
    while (this.waiting.length === 0 && this.usedMs < TURN_MS) {
      if (!this.measure(step)) return;
    }
    this.waiting.push(step);
  }

  private scheduleOnce(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(this.nextTurn);
  }

  private readonly nextTurn = (): void => {
    this.scheduled = false;
    this.usedMs = 0;
    // Before the steps: one that throws ends this turn, and those that wait behind it are still to come.
    if (this.waiting.length > 0) this.scheduleOnce();
    while (this.usedMs < TURN_MS) {
      const step = this.waiting.shift();
      if (step === undefined) break;
      if (this.measure(step)) this.waiting.push(step);
    }
  };

  private measure(step: BacklogStep): boolean {
    const fromMs = this.nowMs();
    try {
      return step();
    } finally {
      this.usedMs += this.nowMs() - fromMs;
    }
  }
}

/** One for all engines: they share the event loop. */
export const processBacklogTurns = new BacklogTurns();
