import type { Clock } from '../../kernel/clock.js';
import type { AccountId, NodeId, OperationId } from '../../kernel/ids.js';
import type { ProgressMessage, ResultMessage } from '../../link/messages.js';
import { failed, withProgress, withResult } from './node-reports.js';
import { isLive, type Operation, type OperationFailure } from './operation.js';
import { TransferRate } from './transfer-rate.js';

interface Entry {
  readonly accountId: AccountId;
  readonly rate: TransferRate;
  operation: Operation;
}

/** Called after every change. */
export type OperationListener = (accountId: AccountId, operation: Operation) => void;

/**
 * Operations that are not over, and those that are but not stored yet, in memory. Every change comes from here, so what the
 * database has may be older but never newer. Bounded by what may be unfinished at once.
 */
export class LiveOperations {
  private readonly entries = new Map<OperationId, Entry>();
  private readonly idsOfNodes = new Map<NodeId, Set<OperationId>>();

  constructor(
    private readonly clock: Clock,
    private readonly onChange: OperationListener,
  ) {}

  /** What is known already stays: it is newer than what was stored. */
  add(accountId: AccountId, operation: Operation): void {
    if (this.entries.has(operation.id)) return;
    this.entries.set(operation.id, { accountId, operation, rate: new TransferRate(this.clock) });
    const ids = this.idsOfNodes.get(operation.nodeId);
    if (ids === undefined) this.idsOfNodes.set(operation.nodeId, new Set([operation.id]));
    else ids.add(operation.id);
  }

  find(accountId: AccountId, id: OperationId): Operation | undefined {
    return this.entryOf(accountId, id)?.operation;
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

  /** Ignored unless it is about a live operation of this very node: a node may name any id. */
  progress(accountId: AccountId, nodeId: NodeId, message: ProgressMessage): void {
    const entry = this.liveEntryOf(accountId, nodeId, message.operation_id);
    if (entry === undefined) return;
    entry.rate.count(message.completed_bytes);
    this.change(entry, withProgress(entry.operation, message, this.now()));
  }

  /** The first one counts; otherwise as {@link progress}. */
  result(accountId: AccountId, nodeId: NodeId, message: ResultMessage): void {
    const entry = this.liveEntryOf(accountId, nodeId, message.operation_id);
    if (entry !== undefined) this.change(entry, withResult(entry.operation, message, this.now()));
  }

  /** @returns the operation as it is now; undefined when it is not live */
  requestCancel(accountId: AccountId, id: OperationId): Operation | undefined {
    const entry = this.entryOf(accountId, id);
    if (entry === undefined || !isLive(entry.operation)) return undefined;
    if (!entry.operation.cancelRequested) {
      this.change(entry, { ...entry.operation, cancelRequested: true, updatedAt: this.now() });
    }
    return entry.operation;
  }

  /** Fails the operations of a node that will not report again. */
  failOfNode(accountId: AccountId, nodeId: NodeId, failure: OperationFailure): void {
    for (const { id } of this.ofNode(accountId, nodeId)) {
      const entry = this.entryOf(accountId, id);
      if (entry !== undefined) this.change(entry, failed(entry.operation, failure, this.now()));
    }
  }

  /** Drops an operation that is over and stored. */
  forget(id: OperationId): void {
    const entry = this.entries.get(id);
    if (entry === undefined || isLive(entry.operation)) return;
    this.entries.delete(id);
    const { nodeId } = entry.operation;
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

  private change(entry: Entry, operation: Operation): void {
    entry.operation = operation;
    this.onChange(entry.accountId, operation);
  }

  private now(): Date {
    return new Date(this.clock.wallMs());
  }
}
