import type { Clock } from '../../kernel/clock.js';
import type { RequestId } from '../../kernel/ids.js';
import type { UsageReport } from '../../link/messages.js';
import type { FinishedRequest } from './finished-request.js';
import { meteredTokens } from './metered-tokens.js';
import { usageRow, type UsageRow } from './usage-row.js';

export interface UsageRecorderLimits {
  readonly usageFlushMs: number;
  readonly usageBatchRequests: number;
  readonly usageQueueRequests: number;
  readonly usageConfirmTimeoutMs: number;
}

export interface UsageRecorderEvents {
  /** The database did not take a batch; it will be tried again. */
  readonly notWritten: (error: unknown) => void;
  /** So many requests, since it was last told, will never be metered. */
  readonly lost: (requests: number) => void;
}

/** A stopped request that waits for its node's word. */
interface Unconfirmed {
  readonly request: FinishedRequest;
  readonly startedAtMs: number;
  readonly untilMs: number;
}

const RETRY_AFTER_MS = 5_000;

/**
 * Takes in finished requests and writes them in batches beside the request path. While the database is away they wait here; the queue is
 * bounded, and what does not fit is counted and told, never waited for. A batch may be written twice when its confirmation gets lost:
 * writing is idempotent by request id.
 */
export class UsageRecorder {
  private readonly queue: UsageRow[] = [];
  private readonly unconfirmed = new Map<RequestId, Unconfirmed>();
  private timer: NodeJS.Timeout | undefined;
  private soon: NodeJS.Immediate | undefined;
  private running: Promise<void> | undefined;
  private retryAtMs = -Infinity;
  private lostCount = 0;
  private lostTold = 0;

  constructor(
    private readonly write: (rows: readonly UsageRow[]) => Promise<void>,
    private readonly limits: UsageRecorderLimits,
    private readonly events: UsageRecorderEvents,
    private readonly clock: Clock,
  ) {}

  /** Requests that were not metered because the queue was full or the relay stopped without a database. */
  get lostRequests(): number {
    return this.lostCount;
  }

  get waitingRequests(): number {
    return this.queue.length + this.unconfirmed.size;
  }

  /** Never throws and never waits. */
  record(request: FinishedRequest): void {
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

  /** What a stopped request had used in the end; null: its node does not know. */
  confirmed(requestId: RequestId, usage: UsageReport | null): void {
    const waiting = this.unconfirmed.get(requestId);
    if (waiting === undefined) return;
    this.unconfirmed.delete(requestId);
    this.enqueue(waiting.request, usage ?? waiting.request.usage, waiting.startedAtMs);
  }

  start(): void {
    this.timer = setInterval(() => void this.tick(), this.limits.usageFlushMs).unref();
  }

  /** One last try; what the database does not take now is lost. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    clearImmediate(this.soon);
    for (const requestId of [...this.unconfirmed.keys()]) this.confirmed(requestId, null);
    // One that is about to end may have looked at the queue for the last time.
    await this.running;
    await this.flush();
    this.lostCount += this.queue.splice(0).length;
    this.tellLoss();
  }

  /** What the timer does. Never rejects. */
  async tick(): Promise<void> {
    const nowMs = this.clock.monotonicMs();
    // In the order in which they came, which is that of their deadlines.
    for (const [requestId, { untilMs }] of this.unconfirmed) {
      if (untilMs > nowMs) break;
      this.confirmed(requestId, null);
    }
    this.tellLoss();
    if (nowMs >= this.retryAtMs) await this.flush();
  }

  /** Writes what waits now, batch by batch, unless the database says no. What comes meanwhile waits for its own batch. Never rejects. */
  flush(): Promise<void> {
    return (this.running ??= this.writeAll().finally(() => {
      this.running = undefined;
    }));
  }

  private enqueue(request: FinishedRequest, usage: UsageReport | null, startedAtMs: number): void {
    this.queue.push(usageRow(request, meteredTokens(request, usage), startedAtMs));
    if (this.queue.length < this.limits.usageBatchRequests || this.running !== undefined) return;
    if (this.clock.monotonicMs() < this.retryAtMs) return;
    // Not in the turn that ends a request.
    this.soon ??= setImmediate(() => {
      this.soon = undefined;
      void this.flush();
    });
  }

  /** A statement of a few rows costs nearly as much as one of hundreds: what came during the last one is not chased by the next. */
  private async writeAll(): Promise<void> {
    const { usageBatchRequests } = this.limits;
    let dueRequests = this.queue.length;
    while (dueRequests > 0 || this.queue.length >= usageBatchRequests) {
      const batch = this.queue.slice(0, usageBatchRequests);
      try {
        await this.write(batch);
      } catch (error) {
        this.retryAtMs = this.clock.monotonicMs() + RETRY_AFTER_MS;
        this.events.notWritten(error);
        return;
      }
      this.queue.splice(0, batch.length);
      dueRequests -= batch.length;
    }
  }

  private tellLoss(): void {
    const lost = this.lostCount - this.lostTold;
    if (lost === 0) return;
    this.lostTold = this.lostCount;
    this.events.lost(lost);
  }
}
