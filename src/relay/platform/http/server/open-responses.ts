/** The responses that are not over yet: a relay that stops lets their last bytes go out before it closes sockets. */
export class OpenResponses {
  private open = 0;
  private onNone: (() => void) | undefined;

  get count(): number {
    return this.open;
  }

  opened(): void {
    this.open += 1;
  }

  /** Once for each that was opened. */
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
