/** Time that delayed streams may use per turn of the event loop. */
const TURN_MS = 4;

/** Does one piece of work. @returns whether there is more */
type BacklogStep = () => boolean;

/**
 * Limits the work of delayed streams per turn of the event loop. When hundreds of them get credit at once, other streams would otherwise
 * wait for all of their work.
 */
export class BacklogTurns {
  private readonly waiting: BacklogStep[] = [];
  private usedMs = 0;
  private scheduled = false;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Steps now, or in later turns when the time is used up or others wait; waiting ones take turns in order. */
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
    // Before the steps, because one that throws ends this turn.
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
