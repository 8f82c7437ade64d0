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
 * Unfinished operations, and finished ones not stored yet, in memory. All changes are made here, so the database may be older but never
 * newer. Bounded by the limit of unfinished operations.
 */
export class LiveOperations {
  private readonly entries = new Map<OperationId, Entry>();
  private readonly idsOfNodes = new Map<NodeId, Set<OperationId>>();

  constructor(
    private readonly clock: Clock,
    private readonly onChange: OperationListener,
  ) {}

  /** Ignores known operations, which are newer than the stored ones. */
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

  /** Ignored unless the operation is live and of this node, because a node may send any id. */
  progress(accountId: AccountId, nodeId: NodeId, message: ProgressMessage): void {
    const entry = this.liveEntryOf(accountId, nodeId, message.operation_id);
    if (entry === undefined) return;
    entry.rate.count(message.completed_bytes);
    this.change(entry, withProgress(entry.operation, message, this.now()));
  }

  /** Only the first result counts; otherwise as {@link progress}. */
  result(accountId: AccountId, nodeId: NodeId, message: ResultMessage): void {
    const entry = this.liveEntryOf(accountId, nodeId, message.operation_id);
    if (entry !== undefined) this.change(entry, withResult(entry.operation, message, this.now()));
  }

  /** @returns the current operation; undefined when it is not live */
  requestCancel(accountId: AccountId, id: OperationId): Operation | undefined {
    const entry = this.entryOf(accountId, id);
    if (entry === undefined || !isLive(entry.operation)) return undefined;
    if (!entry.operation.cancelRequested) {
      this.change(entry, { ...entry.operation, cancelRequested: true, updatedAt: this.now() });
    }
    return entry.operation;
  }

  /** Fails the operations of a removed node. */
  failOfNode(accountId: AccountId, nodeId: NodeId, failure: OperationFailure): void {
    for (const { id } of this.ofNode(accountId, nodeId)) {
      const entry = this.entryOf(accountId, id);
      if (entry !== undefined) this.change(entry, failed(entry.operation, failure, this.now()));
    }
  }

  /** Drops an operation that is finished and stored. */
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
