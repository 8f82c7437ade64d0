import type { StreamFormat } from '../../dialects/stream-format.js';
import { Observable, type Subscriber } from 'rxjs';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { ResponseSource } from '../platform/http/response-source.js';
import { serializeManagementError } from '../platform/http/errors/management-error.js';
import type { FeedSubscriber } from './operation-feed.js';
import type { OperationView } from './operation.js';
import { isLive } from './operation.js';
import type { OperationRecord } from './operation-record.js';

export interface OperationEventsOptions {
  /** The initial state. Read after subscribing, so that no change is missed. */
  readonly current: () => Promise<readonly OperationView[]>;
  readonly subscribe: (subscriber: FeedSubscriber) => () => void;
  /** Filter of the feed. */
  readonly concerns: (operation: OperationView) => boolean;
  /** True for the feed of one operation, which ends with it. */
  readonly endsWithOutcome: boolean;
  readonly record: (operation: OperationView) => OperationRecord;
  /** Repeats the authorization check at intervals, because a feed outlives that of the request. */
  readonly stillAllowed: () => Promise<boolean>;
  readonly checkEveryMs: number;
  /** Silence after which a keep-alive is written. */
  readonly keepAliveMs: number;
}

/** With more unread bytes, events are coalesced: a slow client gets only the newest state. */
const UNREAD_LIMIT_BYTES = 65_536;

const encode = (event: string, data: string): Buffer => Buffer.from(`event: ${event}\ndata: ${data}\n\n`);

export const operationEventFormat: StreamFormat = {
  keepAlive: Buffer.from(': keep-alive\n\n'),
  terminal: (error, requestId) => encode('error', serializeManagementError(error, requestId).body),
};

/** Operations as server-sent events: the current state first, then changes, coalesced for slow clients. */
export class OperationEvents implements ResponseSource {
  readonly bytes$ = new Observable<Uint8Array>((subscriber) => this.run(subscriber));
  /** The newest unsent state of each operation. */
  private readonly waiting = new Map<string, OperationView>();
  private unreadBytes = 0;
  private begun = false;
  private client: Subscriber<Uint8Array> | undefined;

  constructor(private readonly options: OperationEventsOptions) {}

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
    this.sendWaiting();
  }

  private run(client: Subscriber<Uint8Array>): () => void {
    this.client = client;
    let unsubscribe = (): void => undefined;
    try {
      unsubscribe = this.options.subscribe({
        next: (operation) => {
          this.put(operation);
        },
        end: (error) => {
          client.error(error);
        },
      });
    } catch (error) {
      client.error(error);
    }
    const timer = setInterval(() => void this.check(client), this.options.checkEveryMs).unref();
    void this.begin(client);
    return () => {
      clearInterval(timer);
      unsubscribe();
    };
  }

  private async begin(client: Subscriber<Uint8Array>): Promise<void> {
    try {
      for (const operation of await this.options.current()) {
        // A change received meanwhile is newer.
        if (!this.waiting.has(operation.id)) this.put(operation);
      }
      this.begun = true;
      // Sends the headers at once, also without an operation.
      this.send(operationEventFormat.keepAlive);
      this.sendWaiting();
    } catch (error) {
      client.error(error);
    }
  }

  private put(operation: OperationView): void {
    if (!this.options.concerns(operation)) return;
    this.waiting.set(operation.id, operation);
    if (this.begun) this.sendWaiting();
  }

  private sendWaiting(): void {
    for (const [id, operation] of this.waiting) {
      if (this.unreadBytes > UNREAD_LIMIT_BYTES) return;
      this.waiting.delete(id);
      this.send(encode('operation', JSON.stringify(this.options.record(operation))));
      if (this.options.endsWithOutcome && !isLive(operation)) this.client?.complete();
    }
  }

  private send(bytes: Uint8Array): void {
    this.unreadBytes += bytes.byteLength;
    this.client?.next(bytes);
  }

  private async check(client: Subscriber<Uint8Array>): Promise<void> {
    // A database outage does not end feeds.
    const allowed = await this.options.stillAllowed().catch(() => true);
    if (!allowed) client.error(new FerryError('invalid_credential'));
  }
}
