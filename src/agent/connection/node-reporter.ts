import { Subscription, type Observable } from 'rxjs';
import type { Clock } from '../../kernel/clock.js';
import { splitInventory } from '../../link/codec/inventory-parts.js';
import type { InventoryMessage, ModelReport, StatusMessage } from '../../link/messages.js';
import type { Timers } from './timers.js';

const STATUS_INTERVAL_MS = 1_000;
/** With several links: replicas learn only from STATUS which slots the others use. */
const SHARED_STATUS_INTERVAL_MS = 200;
/** A full engine has a free slot again. Above 0, so that short requests stay within what the relay accepts. */
const FREED_STATUS_INTERVAL_MS = 50;

export interface NodeReporterOptions {
  readonly session: { sendInventory(message: InventoryMessage): void; sendStatus(message: StatusMessage): void };
  /** The current list at once, then at every change. A list and its reports never change. */
  readonly models$: Observable<readonly ModelReport[]>;
  readonly status: () => StatusMessage;
  readonly statusChanged$: Observable<unknown>;
  /** Whether the node has links to other replicas, too. */
  readonly hasSeveralLinks: () => boolean;
  readonly clock: Clock;
  readonly timers: Timers;
  /** A model whose report breaks the message's bounds. */
  readonly onUnsendable: (model: ModelReport) => void;
}

/**
 * Reports the node's models and slots on one link: a full inventory first, then changes, and STATUS: at most once a
 * second with one link, sooner with several. A heartbeat carries no inventory (docs/reference/link.md#heartbeat).
 */
export class NodeReporter {
  private readonly subscriptions = new Subscription();
  /** All links of a node have the same list. */
  private sent: readonly ModelReport[] | undefined;
  private version = 0;
  private statusSentAtMs = Number.NEGATIVE_INFINITY;
  private sentStatus: StatusMessage | undefined;
  private due: { readonly atMs: number; readonly cancel: () => void } | undefined;

  constructor(private readonly options: NodeReporterOptions) {}

  /** Called on READY, because the relay knows nothing of the node before. */
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
    this.due?.cancel();
  }

  private report(models: readonly ModelReport[]): void {
    const { session, onUnsendable } = this.options;
    const full = this.sent === undefined;
    const before = byKey(this.sent ?? []);
    const now = byKey(models);
    this.sent = models;
    const changed = models.filter((model) => !isSame(before.get(model.key), model));
    const removed = [...before.keys()].filter((key) => !now.has(key));
    if (!full && changed.length === 0 && removed.length === 0) return;
    const parts = splitInventory({
      version: this.version + 1,
      full,
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
    const { clock, timers } = this.options;
    const nowMs = clock.monotonicMs();
    const atMs = this.statusSentAtMs + this.intervalMs();
    if (atMs <= nowMs) {
      this.sendStatus();
      return;
    }
    if (this.due !== undefined && this.due.atMs <= atMs) return;
    this.due?.cancel();
    const cancel = timers.after(atMs - nowMs, () => {
      this.sendStatus();
    });
    this.due = { atMs, cancel };
  }

  private intervalMs(): number {
    const { sentStatus: sent } = this;
    // The slots of a replica whose link has just ended are freed after it.
    const shared = this.options.hasSeveralLinks() || sent?.engines.some((one) => (one.slots_used_elsewhere ?? 0) > 0);
    if (shared !== true) return STATUS_INTERVAL_MS;
    const full = new Set(sent?.engines.flatMap((one) => (isFull(one) ? [one.name] : [])));
    const freed = full.size > 0 && this.options.status().engines.some((one) => full.has(one.name) && !isFull(one));
    return freed ? FREED_STATUS_INTERVAL_MS : SHARED_STATUS_INTERVAL_MS;
  }

  private sendStatus(): void {
    this.due?.cancel();
    this.due = undefined;
    this.statusSentAtMs = this.options.clock.monotonicMs();
    this.sentStatus = this.options.status();
    this.options.session.sendStatus(this.sentStatus);
  }
}

const byKey = (models: readonly ModelReport[]): ReadonlyMap<string, ModelReport> =>
  new Map(models.map((model) => [model.key, model]));

const isSame = (before: ModelReport | undefined, now: ModelReport): boolean =>
  before === now || (before !== undefined && JSON.stringify(before) === JSON.stringify(now));

const isFull = ({ slots_used: used, slots_total: total }: StatusMessage['engines'][number]): boolean => used >= total;
