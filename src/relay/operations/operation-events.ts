import {
  encodeEvent,
  ManagementFeed,
  managementFeedFormat,
  type ManagementFeedOptions,
} from '../platform/api/management-feed.js';
import type { FeedSubscriber } from './operation-feed.js';
import type { OperationView } from './operation.js';
import { isLive } from './operation.js';
import type { OperationRecord } from './operation-record.js';

export interface OperationEventsOptions extends ManagementFeedOptions {
  /** The initial state. Read after subscribing, so that no change is missed. */
  readonly current: () => Promise<readonly OperationView[]>;
  readonly subscribe: (subscriber: FeedSubscriber) => () => void;
  /** Filter of the feed. */
  readonly concerns: (operation: OperationView) => boolean;
  /** True for the feed of one operation, which ends with it. */
  readonly endsWithOutcome: boolean;
  readonly record: (operation: OperationView) => OperationRecord;
}

/** With more unread bytes, events are coalesced: a slow client gets only the newest state. */
const UNREAD_LIMIT_BYTES = 65_536;

/** Operations as server-sent events: the current state first, then changes, coalesced for slow clients. */
export class OperationEvents extends ManagementFeed {
  /** The newest unsent state of each operation. */
  private readonly waiting = new Map<string, OperationView>();
  private begun = false;

  constructor(private readonly options: OperationEventsOptions) {
    super(options);
  }

  override consumed(bytes: number): void {
    super.consumed(bytes);
    this.sendWaiting();
  }

  protected override open(): () => void {
    const unsubscribe = this.options.subscribe({
      next: (operation) => {
        this.put(operation);
      },
      end: (error) => {
        this.end(error);
      },
    });
    void this.begin();
    return unsubscribe;
  }

  private async begin(): Promise<void> {
    try {
      for (const operation of await this.options.current()) {
        // A change received meanwhile is newer.
        if (!this.waiting.has(operation.id)) this.put(operation);
      }
      this.begun = true;
      // Sends the headers at once, also without an operation.
      this.send(managementFeedFormat.keepAlive);
      this.sendWaiting();
    } catch (error) {
      this.client?.error(error);
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
      this.send(encodeEvent('operation', JSON.stringify(this.options.record(operation))));
      if (this.options.endsWithOutcome && !isLive(operation)) this.client?.complete();
    }
  }
}
