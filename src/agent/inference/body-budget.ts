/** Limits the memory of all request bodies together, which are kept until their engine has answered. */
export class BodyBudget {
  private usedBytes = 0;

  constructor(private readonly limitBytes: number) {}

  /** @returns an idempotent release function; undefined when the budget is used up */
  claim(bytes: number): (() => void) | undefined {
    if (this.usedBytes + bytes > this.limitBytes) return undefined;
    this.usedBytes += bytes;
    let held = bytes;
    return () => {
      this.usedBytes -= held;
      held = 0;
    };
  }
}
