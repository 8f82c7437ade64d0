export interface ChangePollOptions {
  /** Reads changes and applies them. */
  readonly read: () => Promise<void>;
  readonly everyMs: number;
  /** Called for the first of consecutive failures; the poll continues. */
  readonly onFailure: (error: unknown) => void;
}

/** Notices are collected for this long, so that a burst of changes is one query. */
const NOTICE_DELAY_MS = 50;

/** Reads changes of other relays at intervals, and soon after a notice. One read at a time. */
export class ChangePoll {
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> | undefined;
  private noticed = false;
  private failing = false;
  private stopped = true;

  constructor(private readonly options: ChangePollOptions) {}

  start(): void {
    this.stopped = false;
    this.schedule(this.options.everyMs);
  }

  /** A read that already runs may have missed the change: it is followed by another one. */
  notice(): void {
    if (this.stopped || this.noticed) return;
    this.noticed = true;
    if (this.reading === undefined) this.schedule(NOTICE_DELAY_MS);
  }

  /** Resolves when nothing is read any more. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.reading;
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.reading = this.readOnce();
    }, delayMs).unref();
  }

  private async readOnce(): Promise<void> {
    this.noticed = false;
    try {
      await this.options.read();
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.options.onFailure(error);
      this.failing = true;
    }
    this.reading = undefined;
    this.continue();
  }

  private continue(): void {
    if (!this.stopped) this.schedule(this.noticed ? NOTICE_DELAY_MS : this.options.everyMs);
  }
}
