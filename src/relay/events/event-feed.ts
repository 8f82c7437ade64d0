import type { Clock } from '../../kernel/clock.js';
import type { ChangeTopic } from '../platform/api/account-changes.js';
import {
  encodeEvent,
  ManagementFeed,
  managementFeedFormat,
  type ManagementFeedOptions,
} from '../platform/api/management-feed.js';
import { isLive, type OperationView } from '../operations/operation.js';
import type { OperationRecord } from '../operations/operation-record.js';

export interface EventFeedOptions extends ManagementFeedOptions {
  /** Registers the feed. @throws FerryError `rate_limit_exceeded`, `draining` */
  readonly open: (feed: EventFeed) => () => void;
  readonly record: (operation: OperationView) => OperationRecord;
  /** Unread bytes at which the feed is closed. */
  readonly bufferBytes: number;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** Changes are collected for this long. */
export const COALESCE_MS = 250;
/** The same topic is repeated no sooner: a busy node reports its status with every request. */
export const REPEAT_MS = 1_000;
/** Operations with news that were not sent yet. Beyond that a client reads the list again. */
const WAITING_OPERATIONS = 100;

/**
 * One open feed: which topics changed, and the newest state of operations. Its memory is bounded by the number of topics, by
 * {@link WAITING_OPERATIONS} and by `bufferBytes`; a client that reads too slowly is disconnected and starts afresh.
 */
export class EventFeed extends ManagementFeed {
  private readonly changed = new Set<ChangeTopic>();
  private readonly sentAtMs = new Map<ChangeTopic, number>();
  private readonly operations = new Map<string, OperationView>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: EventFeedOptions) {
    super(options);
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

  protected override open(): () => void {
    const close = this.options.open(this);
    // The head goes out at once, although there is nothing to tell yet.
    this.send(managementFeedFormat.keepAlive);
    return () => {
      clearTimeout(this.timer);
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
    if (topics.length > 0) this.send(encodeEvent('change', JSON.stringify({ topics })));
    for (const operation of this.operations.values()) {
      this.send(encodeEvent('operation', JSON.stringify(this.options.record(operation))));
    }
    this.operations.clear();
    this.schedule();
  }

  protected override send(bytes: Uint8Array): void {
    if (this.unreadBytes > this.options.bufferBytes) this.client?.complete();
    else super.send(bytes);
  }
}
