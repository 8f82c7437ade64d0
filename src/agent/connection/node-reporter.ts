import { Subscription, type Observable } from 'rxjs';
import type { Clock } from '../../kernel/clock.js';
import { splitInventory } from '../../link/codec/inventory-parts.js';
import type { InventoryMessage, ModelReport, StatusMessage } from '../../link/messages.js';
import type { Timers } from './timers.js';

const STATUS_INTERVAL_MS = 1_000;

export interface NodeReporterOptions {
  readonly session: { sendInventory(message: InventoryMessage): void; sendStatus(message: StatusMessage): void };
  /** The current list at once, then at every change. */
  readonly models$: Observable<readonly ModelReport[]>;
  readonly status: () => StatusMessage;
  readonly statusChanged$: Observable<unknown>;
  readonly clock: Clock;
  readonly timers: Timers;
  /** A model whose report breaks the message's bounds. */
  readonly onUnsendable: (model: ModelReport) => void;
}

/**
 * Reports the node's models and slots on one link: a full inventory first, then changes, and STATUS at most once a second. A heartbeat
 * carries no inventory (docs/reference/link.md#heartbeat).
 */
export class NodeReporter {
  private readonly subscriptions = new Subscription();
  private sent: ReadonlyMap<string, string> | undefined;
  private version = 0;
  private statusSentAtMs = Number.NEGATIVE_INFINITY;
  private cancelStatus: (() => void) | undefined;

  constructor(private readonly options: NodeReporterOptions) {}

  /** On READY. */
  start(): void {
    const { models$, statusChanged$ } = this.options;
    this.subscriptions.add(
      models$.subscribe((models) => {
        this.report(models);
      }),
    );
    this.sendStatus();
    this.subscriptions.add(
      statusChanged$.subscribe(() => {
        this.statusSoon();
      }),
    );
  }

  stop(): void {
    this.subscriptions.unsubscribe();
    this.cancelStatus?.();
  }

  private report(models: readonly ModelReport[]): void {
    const { session, onUnsendable } = this.options;
    const before = this.sent;
    const now = new Map(models.map((model) => [model.key, JSON.stringify(model)]));
    this.sent = now;
    const changed = models.filter((model) => before?.get(model.key) !== now.get(model.key));
    const removed = [...(before?.keys() ?? [])].filter((key) => !now.has(key));
    if (before !== undefined && changed.length === 0 && removed.length === 0) return;
    const parts = splitInventory({
      version: this.version + 1,
      full: before === undefined,
      models: changed,
      removed,
      onUnsendable,
    });
    for (const part of parts) {
      session.sendInventory(part);
      this.version = part.version;
    }
  }

  private statusSoon(): void {
    if (this.cancelStatus !== undefined) return;
    const wait = this.statusSentAtMs + STATUS_INTERVAL_MS - this.options.clock.monotonicMs();
    if (wait <= 0) {
      this.sendStatus();
      return;
    }
    this.cancelStatus = this.options.timers.after(wait, () => {
      this.sendStatus();
    });
  }

  private sendStatus(): void {
    this.cancelStatus = undefined;
    this.statusSentAtMs = this.options.clock.monotonicMs();
    this.options.session.sendStatus(this.options.status());
  }
}
