import type { Clock } from '../../kernel/clock.js';
import type { RequestId } from '../../kernel/ids.js';
import type { UsageReport } from '../../link/messages.js';
import { AppendedItems } from '../platform/database/pending-items.js';
import { WriteBehind } from '../platform/database/write-behind.js';
import { isDatabaseUnavailable } from '../platform/http/errors/database-unavailable.js';
import type { FinishedRequest } from './finished-request.js';
import { meteredTokens } from './metered-tokens.js';
import { usageRow, type UsageRow } from './usage-row.js';

export interface UsageRecorderLimits {
  readonly usageFlushMs: number;
  readonly usageBatchRequests: number;
  readonly usageQueueRequests: number;
  readonly usageConfirmTimeoutMs: number;
  readonly requestLogMessageCharacters: number;
}

export interface UsageRecorderEvents {
  /** A batch was not written; it is tried again. */
  readonly notWritten: (error: unknown) => void;
  /** @param requests that will not be metered, since the last call */
  readonly lost: (requests: number) => void;
}

/** A stopped request whose node has not reported its usage yet. */
interface Unconfirmed {
  readonly request: FinishedRequest;
  readonly startedAtMs: number;
  readonly untilMs: number;
}

const RETRY_MS = 5_000;

/**
 * Meters finished requests asynchronously. While the database is unavailable they are queued; the queue is bounded, and requests beyond it
 * are counted and logged. A batch may be written twice: writing is idempotent by request id.
 */
export class UsageRecorder {
  private readonly rows: WriteBehind<UsageRow>;
  private readonly unconfirmed = new Map<RequestId, Unconfirmed>();
  private started = false;
  /** Runs while something waits. */
  private timer: NodeJS.Timeout | undefined;
  /** The last write failed because the database was away, and not because of what was written. */
  private databaseAway = false;
  private lostCount = 0;
  private reportedLost = 0;

  constructor(
    write: (rows: readonly UsageRow[]) => Promise<void>,
    private readonly limits: UsageRecorderLimits,
    private readonly events: UsageRecorderEvents,
    private readonly clock: Clock,
  ) {
    const { usageBatchRequests: batchItems } = limits;
    this.rows = new WriteBehind({
      write,
      batchItems,
      retryMs: RETRY_MS,
      pending: new AppendedItems(),
      onFailure: (error) => {
        this.databaseAway = isDatabaseUnavailable(error);
        events.notWritten(error);
      },
      clock,
    });
  }

  /** Requests that were not metered because the queue was full or the relay stopped without a database. */
  get lostRequests(): number {
    return this.lostCount;
  }

  get waitingRequests(): number {
    return this.rows.size + this.unconfirmed.size;
  }

  /** Never throws and never waits. */
  record(request: FinishedRequest): void {
    this.startTimer();
    if (this.waitingRequests >= this.limits.usageQueueRequests) {
      this.lostCount += 1;
      return;
    }
    const startedAtMs = this.clock.wallMs() - request.totalMs;
    if (!request.usagePending) {
      this.enqueue(request, request.usage, startedAtMs);
      return;
    }
    const untilMs = this.clock.monotonicMs() + this.limits.usageConfirmTimeoutMs;
    this.unconfirmed.set(request.requestId, { request, startedAtMs, untilMs });
  }

  /** The final usage of a stopped request; null: its node does not know it. */
  confirmed(requestId: RequestId, usage: UsageReport | null): void {
    const waiting = this.unconfirmed.get(requestId);
    if (waiting === undefined) return;
    this.unconfirmed.delete(requestId);
    this.enqueue(waiting.request, usage ?? waiting.request.usage, waiting.startedAtMs);
  }

  start(): void {
    this.started = true;
    this.startTimer();
  }

  /** One last try; rows that are not written now are lost. */
  async stop(): Promise<void> {
    this.started = false;
    this.stopTimer();
    for (const requestId of [...this.unconfirmed.keys()]) this.confirmed(requestId, null);
    this.lostCount += await this.rows.stop();
    this.reportLoss();
  }

  /** Called by the timer. Never rejects. */
  async tick(): Promise<void> {
    const nowMs = this.clock.monotonicMs();
    // In insertion order, which is that of their deadlines.
    for (const [requestId, { untilMs }] of this.unconfirmed) {
      if (untilMs > nowMs) break;
      this.confirmed(requestId, null);
    }
    this.reportLoss();
    if (!this.rows.paused) await this.rows.flush();
    if (this.waitingRequests === 0 && this.reportedLost === this.lostCount) this.stopTimer();
  }

  /**
   * The database has answered something. What it did not take while it was away is written now, not after the pause: a relay that is killed
   * soon afterwards loses no more than at any other time. Called for every query.
   */
  databaseAnswers(): void {
    if (!this.databaseAway || this.rows.writing) return;
    this.databaseAway = false;
    void this.rows.flush();
  }

  /** Writes the rows that wait now. Never rejects. */
  flush(): Promise<void> {
    return this.rows.flush();
  }

  private enqueue(request: FinishedRequest, usage: UsageReport | null, startedAtMs: number): void {
    // A partial batch waits for `tick`: a write of a few rows costs nearly as much as one of hundreds.
    const delayMs = this.rows.size + 1 >= this.limits.usageBatchRequests ? 0 : Infinity;
    const { requestLogMessageCharacters } = this.limits;
    const row = usageRow(request, meteredTokens(request, usage), startedAtMs, requestLogMessageCharacters);
    this.rows.put(request.requestId, row, delayMs);
  }

  private startTimer(): void {
    if (this.started) this.timer ??= setInterval(() => void this.tick(), this.limits.usageFlushMs).unref();
  }

  private stopTimer(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private reportLoss(): void {
    const lost = this.lostCount - this.reportedLost;
    if (lost === 0) return;
    this.reportedLost = this.lostCount;
    this.events.lost(lost);
  }
}
