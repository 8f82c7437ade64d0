import type { StreamFormat } from '../../dialects/stream-format.js';
import { Observable, type Subscriber } from 'rxjs';
import type { Clock } from '../../kernel/clock.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { ChangeTopic } from '../platform/api/account-changes.js';
import { isLive, type OperationView } from '../operations/operation.js';
import type { OperationRecord } from '../operations/operation-record.js';
import type { ResponseSource } from '../platform/http/response-source.js';
import { serializeManagementError } from '../platform/http/errors/management-error.js';

export interface EventFeedOptions {
  /** Registers the feed. @throws FerryError `rate_limit_exceeded`, `draining` */
  readonly open: (feed: EventFeed) => () => void;
  readonly record: (operation: OperationView) => OperationRecord;
  /** Whether the credential is still valid: the feed outlives the request's own check. */
  readonly stillAllowed: () => Promise<boolean>;
  readonly checkEveryMs: number;
  /** Unread bytes at which the feed is closed. */
  readonly bufferBytes: number;
  /** Silence after which a keep-alive is written. */
  readonly keepAliveMs: number;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** Changes are collected for this long. */
export const COALESCE_MS = 250;
/** The same topic is repeated no sooner: a busy node reports its status with every request. */
export const REPEAT_MS = 1_000;
/** Operations with news that were not sent yet. Beyond that a client reads the list again. */
const WAITING_OPERATIONS = 100;

const encode = (event: string, data: string): Buffer => Buffer.from(`event: ${event}\ndata: ${data}\n\n`);

export const eventFeedFormat: StreamFormat = {
  keepAlive: Buffer.from(': keep-alive\n\n'),
  terminal: (error, requestId) => encode('error', serializeManagementError(error, requestId).body),
};

/**
 * One open feed: which topics changed, and the newest state of operations. Its memory is bounded by the number of topics, by
 * {@link WAITING_OPERATIONS} and by `bufferBytes`; a client that reads too slowly is disconnected and starts afresh.
 */
export class EventFeed implements ResponseSource {
  readonly bytes$ = new Observable<Uint8Array>((client) => this.run(client));
  private readonly changed = new Set<ChangeTopic>();
  private readonly sentAtMs = new Map<ChangeTopic, number>();
  private readonly operations = new Map<string, OperationView>();
  private client: Subscriber<Uint8Array> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private unreadBytes = 0;

  constructor(private readonly options: EventFeedOptions) {}

  atBoundary(): boolean {
    return true;
  }

  contentLength(): null {
    return null;
  }

  headers(): Readonly<Record<string, string>> {
    return { 'x-ferry-keep-alive-ms': String(this.options.keepAliveMs) };
  }

  consumed(bytes: number): void {
    this.unreadBytes -= bytes;
  }

  /** Must not throw: publishers are in the middle of something else. */
  topicChanged(topic: ChangeTopic): void {
    if (topic === 'sessions' || topic === 'users') void this.check();
    this.changed.add(topic);
    this.schedule();
  }

  operationChanged(operation: OperationView): void {
    if (this.operations.size < WAITING_OPERATIONS || this.operations.has(operation.id)) {
      this.operations.set(operation.id, operation);
    } else this.changed.add('operations');
    if (!isLive(operation)) this.changed.add('operations');
    this.schedule();
  }

  /** Nothing comes after it. */
  end(error: FerryError): void {
    this.client?.error(error);
  }

  private run(client: Subscriber<Uint8Array>): () => void {
    this.client = client;
    let close = (): void => undefined;
    try {
      close = this.options.open(this);
      // The head goes out at once, although there is nothing to tell yet.
      this.send(eventFeedFormat.keepAlive);
    } catch (error) {
      client.error(error);
    }
    const checks = setInterval(() => void this.check(), this.options.checkEveryMs).unref();
    return () => {
      clearInterval(checks);
      clearTimeout(this.timer);
      this.client = undefined;
      close();
    };
  }

  private schedule(): void {
    if (this.timer !== undefined || this.client === undefined) return;
    if (this.changed.size === 0 && this.operations.size === 0) return;
    const nowMs = this.options.clock.monotonicMs();
    const waitMs =
      this.operations.size > 0 ? 0 : Math.min(...[...this.changed].map((topic) => this.waitMs(topic, nowMs)));
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        this.flush();
      },
      Math.max(COALESCE_MS, waitMs),
    ).unref();
  }

  private waitMs(topic: ChangeTopic, nowMs: number): number {
    const sentAtMs = this.sentAtMs.get(topic);
    return sentAtMs === undefined ? 0 : sentAtMs + REPEAT_MS - nowMs;
  }

  private flush(): void {
    const nowMs = this.options.clock.monotonicMs();
    const topics = [...this.changed].filter((topic) => this.waitMs(topic, nowMs) <= 0).sort();
    for (const topic of topics) {
      this.changed.delete(topic);
      this.sentAtMs.set(topic, nowMs);
    }
    if (topics.length > 0) this.send(encode('change', JSON.stringify({ topics })));
    for (const operation of this.operations.values()) {
      this.send(encode('operation', JSON.stringify(this.options.record(operation))));
    }
    this.operations.clear();
    this.schedule();
  }

  private send(bytes: Uint8Array): void {
    if (this.unreadBytes > this.options.bufferBytes) {
      this.client?.complete();
      return;
    }
    this.unreadBytes += bytes.byteLength;
    this.client?.next(bytes);
  }

  private async check(): Promise<void> {
    // A database that does not answer refuses nobody.
    const allowed = await this.options.stillAllowed().catch(() => true);
    if (!allowed) this.end(new FerryError('invalid_credential'));
  }
}
