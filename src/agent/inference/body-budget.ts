/** Request bodies are kept until their engine has answered; all together they must fit into this computer's memory. */
export class BodyBudget {
  private usedBytes = 0;

  constructor(private readonly limitBytes: number) {}

  /** Undefined when there is no room now; otherwise gives the room back, once however often it is called. */
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
