import type { Clock } from '../../kernel/clock.js';
import type { AccountId, NodeId, OperationId } from '../../kernel/ids.js';
import { LruMap } from '../../kernel/lru-map.js';
import type { ProgressMessage, ResultMessage } from '../../link/messages.js';
import { failed, rebased, withProgress, withResult } from './node-reports.js';
import { isLive, type Operation, type OperationFailure } from './operation.js';
import { TransferRate } from './transfer-rate.js';

interface Entry {
  readonly accountId: AccountId;
  readonly rate: TransferRate;
  /** The row of its version, with the reports that were not stored yet. */
  operation: Operation;
  /** Number of reports that were applied. */
  reports: number;
  /** Number of those that are stored. */
  savedReports: number;
}

/** Called after every change. `reported`: by a node to this relay, so it has to be stored. */
export type OperationListener = (accountId: AccountId, operation: Operation, reported: boolean) => void;

const REMEMBERED_FINISHED = 10_000;

/**
 * Unfinished operations, and finished ones not stored yet, in memory. The row in the database is the truth, and other relays change it,
 * too: what is here is the newest row that was seen, and the reports that arrived since. Bounded by the limit of unfinished operations.
 */
export class LiveOperations {
  private readonly entries = new Map<OperationId, Entry>();
  private readonly idsOfNodes = new Map<NodeId, Set<OperationId>>();
  /** A node repeats its results, and changes are read more than once. */
  private readonly finished = new LruMap<OperationId, true>(REMEMBERED_FINISHED);

  constructor(
    private readonly clock: Clock,
    private readonly onChange: OperationListener,
  ) {}

  /** A row of the database. Ignored when it is older than what is known. */
  adopt(accountId: AccountId, stored: Operation): void {
    const entry = this.entries.get(stored.id);
    if (entry === undefined) {
      if (isLive(stored)) this.add(accountId, stored);
      else if (!this.isFinished(stored.id)) {
        this.finished.set(stored.id, true);
        this.onChange(accountId, stored, false);
      }
      return;
    }
    if (entry.accountId !== accountId || stored.version <= entry.operation.version) return;
    const unsaved = entry.reports > entry.savedReports;
    entry.operation = unsaved ? rebased(stored, entry.operation) : stored;
    if (!isLive(stored)) this.remove(entry);
    else if (!unsaved) entry.rate.count(stored.completedBytes);
    this.onChange(accountId, entry.operation, false);
  }

  find(accountId: AccountId, id: OperationId): Operation | undefined {
    return this.entryOf(accountId, id)?.operation;
  }

  /** Whether it is known to be over and stored. */
  isFinished(id: OperationId): boolean {
    return this.finished.get(id) === true;
  }

  /** null: no transfer. */
  bytesPerSecond(accountId: AccountId, id: OperationId): number | null {
    const entry = this.entryOf(accountId, id);
    return entry !== undefined && isLive(entry.operation) ? entry.rate.bytesPerSecond : null;
  }

  /** Unfinished ones, oldest first. */
  ofNode(accountId: AccountId, nodeId: NodeId): readonly Operation[] {
    return [...(this.idsOfNodes.get(nodeId) ?? [])]
      .flatMap((id) => this.find(accountId, id) ?? [])
      .filter(isLive)
      .sort((left, right) => left.createdAt.getTime() - right.createdAt.getTime());
  }

  ofAccount(accountId: AccountId): readonly Operation[] {
    const operations: Operation[] = [];
    for (const entry of this.entries.values()) if (entry.accountId === accountId) operations.push(entry.operation);
    return operations.filter(isLive);
  }

  /** Ignored unless the operation is live and of this node, because a node may send any id. */
  progress(accountId: AccountId, nodeId: NodeId, message: ProgressMessage): void {
    const entry = this.liveEntryOf(accountId, nodeId, message.operation_id);
    if (entry === undefined) return;
    entry.rate.count(message.completed_bytes);
    this.report(entry, withProgress(entry.operation, message, this.now()));
  }

  /** Only the first result counts; otherwise as {@link progress}. */
  result(accountId: AccountId, nodeId: NodeId, message: ResultMessage): void {
    const entry = this.liveEntryOf(accountId, nodeId, message.operation_id);
    if (entry !== undefined) this.report(entry, withResult(entry.operation, message, this.now()));
  }

  /** Fails the operations of a removed node. */
  failOfNode(accountId: AccountId, nodeId: NodeId, failure: OperationFailure): void {
    for (const { id } of this.ofNode(accountId, nodeId)) {
      const entry = this.entryOf(accountId, id);
      if (entry !== undefined) this.report(entry, failed(entry.operation, failure, this.now()));
    }
  }

  /** Number of reports on the operation so far. */
  reportsOn(id: OperationId): number {
    return this.entries.get(id)?.reports ?? 0;
  }

  /** @param reports how many of them are in what was stored: others may have arrived meanwhile. One that is over is dropped. */
  saved(stored: Operation, reports: number): void {
    const entry = this.entries.get(stored.id);
    if (entry === undefined) return;
    entry.savedReports = reports;
    const { version } = entry.operation;
    if (version < stored.version) entry.operation = { ...entry.operation, version: stored.version };
    if (!isLive(stored)) this.remove(entry);
  }

  /** There is no such row any more. */
  drop(id: OperationId): void {
    const entry = this.entries.get(id);
    if (entry !== undefined) this.remove(entry);
  }

  private add(accountId: AccountId, operation: Operation): void {
    const rate = new TransferRate(this.clock);
    rate.count(operation.completedBytes);
    this.entries.set(operation.id, { accountId, operation, rate, reports: 0, savedReports: 0 });
    const ids = this.idsOfNodes.get(operation.nodeId);
    if (ids === undefined) this.idsOfNodes.set(operation.nodeId, new Set([operation.id]));
    else ids.add(operation.id);
    this.onChange(accountId, operation, false);
  }

  private remove({ operation: { id, nodeId } }: Entry): void {
    this.entries.delete(id);
    this.finished.set(id, true);
    const ids = this.idsOfNodes.get(nodeId);
    ids?.delete(id);
    if (ids?.size === 0) this.idsOfNodes.delete(nodeId);
  }

  private entryOf(accountId: AccountId, id: OperationId): Entry | undefined {
    const entry = this.entries.get(id);
    return entry?.accountId === accountId ? entry : undefined;
  }

  private liveEntryOf(accountId: AccountId, nodeId: NodeId, id: string): Entry | undefined {
    const entry = this.entryOf(accountId, id as OperationId);
    return entry !== undefined && entry.operation.nodeId === nodeId && isLive(entry.operation) ? entry : undefined;
  }

  private report(entry: Entry, operation: Operation): void {
    entry.operation = operation;
    entry.reports += 1;
    this.onChange(entry.accountId, operation, true);
  }

  private now(): Date {
    return new Date(this.clock.wallMs());
  }
}
