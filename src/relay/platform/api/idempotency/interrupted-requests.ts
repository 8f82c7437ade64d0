import type { BegunRequest } from './begun-requests.js';

/** More are left as they are: their keys can be used again after a minute, when their outcome counts as unknown. */
const LONGEST_LIST = 10_000;
const RETRY_MS = 500;
/** A statement that a frozen database had got before may take effect later than one of now, but not later than the statement timeout, 5 s. */
const LATE_STATEMENT_MS = 6_000;

interface Interrupted {
  readonly request: BegunRequest;
  /** Monotonic; undefined until the database has answered. */
  untilMs: number | undefined;
}

/** Requests whose outcome could not be stored because the database was away, until it has been told. */
export class InterruptedRequests {
  private readonly waiting = new Map<string, Interrupted>();
  private timer: NodeJS.Timeout | undefined;
  private reporting: Promise<void> | undefined;

  /** @param tell the database; returns the attempts that it knew, and rejects while it is away */
  constructor(private readonly report: (requests: readonly BegunRequest[]) => Promise<readonly Buffer[]>) {}

  get size(): number {
    return this.waiting.size;
  }

  add(request: BegunRequest): void {
    if (this.waiting.size >= LONGEST_LIST) return;
    this.waiting.set(request.attempt.toString('hex'), { request, untilMs: undefined });
    this.schedule();
  }

  /** Before a key is used again: whether an attempt with it waits here. */
  has({ accountId, digests }: Pick<BegunRequest, 'accountId' | 'digests'>): boolean {
    for (const { request } of this.waiting.values())
      if (request.accountId === accountId && request.digests.key.equals(digests.key)) return true;
    return false;
  }

  /** Tells the database now. Never rejects. */
  async settle(): Promise<void> {
    // It may have begun before the latest of them was interrupted.
    await this.reporting;
    clearTimeout(this.timer);
    this.timer = undefined;
    await (this.reporting ??= this.reportAll().finally(() => {
      this.reporting = undefined;
    }));
    this.schedule();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.waiting.clear();
  }

  private async reportAll(): Promise<void> {
    const sent = [...this.waiting.values()];
    if (sent.length === 0) return;
    let known: readonly Buffer[];
    try {
      known = await this.report(sent.map(({ request }) => request));
    } catch {
      return;
    }
    for (const attempt of known) this.waiting.delete(attempt.toString('hex'));
    const nowMs = performance.now();
    for (const entry of sent) {
      entry.untilMs ??= nowMs + LATE_STATEMENT_MS;
      if (entry.untilMs <= nowMs) this.waiting.delete(entry.request.attempt.toString('hex'));
    }
  }

  private schedule(): void {
    if (this.timer !== undefined || this.waiting.size === 0) return;
    this.timer = setTimeout(() => void this.settle(), RETRY_MS).unref();
  }
}
