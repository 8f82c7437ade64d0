/** Counts open responses: a relay that stops waits for their last bytes before it closes sockets. */
export class OpenResponses {
  private open = 0;
  private onNone: (() => void) | undefined;

  get count(): number {
    return this.open;
  }

  opened(): void {
    this.open += 1;
  }

  /** Call it once per `opened`. */
  closed(): void {
    this.open -= 1;
    if (this.open === 0) this.onNone?.();
  }

  /** Resolves when there is none, at the latest after `timeoutMs`. */
  async none(timeoutMs: number): Promise<void> {
    if (this.open === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.onNone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
